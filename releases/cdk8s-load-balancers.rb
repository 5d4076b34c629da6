# Template of the formula for Homebrew: `npm run bundle` writes it with version and hash to dist/, and a tap has it as Formula/cdk8s-load-balancers.rb.
class Cdk8sLoadBalancers < Formula
  desc "Checks the load balancers of Kubernetes manifests, and changes to them"
  homepage "https://github.com/cdk8s-load-balancers/cdk8s-load-balancers"
  url "https://github.com/cdk8s-load-balancers/cdk8s-load-balancers/releases/download/v@VERSION@/cdk8s-load-balancers.mjs"
  sha256 "@SHA256@"
  license "Apache-2.0"

  depends_on "node"

  def install
    libexec.install "cdk8s-load-balancers.mjs"
    chmod 0755, libexec/"cdk8s-load-balancers.mjs"
    bin.install_symlink libexec/"cdk8s-load-balancers.mjs" => "cdk8s-load-balancers"
    bin.install_symlink libexec/"cdk8s-load-balancers.mjs" => "kubectl-lb"
    generate_completions_from_executable(bin/"cdk8s-load-balancers", "completion")
  end

  test do
    (testpath/"service.yaml").write <<~YAML
      apiVersion: v1
      kind: Service
      metadata: { name: echo }
      spec: { type: LoadBalancer, ports: [{ port: 443 }] }
    YAML
    assert_match "selector-missing", shell_output("#{bin}/cdk8s-load-balancers check --fail-on warning service.yaml", 1)
  end
end
