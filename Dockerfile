# The command with git, kustomize and helm, for `check`, `diff` and `report` in a pipeline: docker run --rm -v "$PWD:/work" IMAGE check
FROM golang:1.26-bookworm AS programs
COPY test/renderers/programs /programs
ENV CGO_ENABLED=0
WORKDIR /programs/kustomize
RUN go build -mod=readonly -trimpath -ldflags='-s -w' -o /usr/local/bin/kustomize sigs.k8s.io/kustomize/kustomize/v5
WORKDIR /programs/helm
RUN go build -mod=readonly -trimpath -ldflags='-s -w' -o /usr/local/bin/helm helm.sh/helm/v3/cmd/helm

FROM node:22-bookworm-slim AS bundle
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
RUN npx tsx --tsconfig tsconfig.scripts.json scripts/bundle.ts

FROM node:22-bookworm-slim
# hadolint ignore=DL3008
RUN apt-get update \
  && apt-get install --yes --no-install-recommends git ca-certificates \
  && rm -rf /var/lib/apt/lists/* \
  # a repository that is mounted belongs to another user
  && git config --system --add safe.directory '*'
COPY --from=programs /usr/local/bin/kustomize /usr/local/bin/helm /usr/local/bin/
COPY --from=bundle /build/dist/cdk8s-load-balancers.mjs /usr/local/lib/
RUN ln -s ../lib/cdk8s-load-balancers.mjs /usr/local/bin/cdk8s-load-balancers
# the user node: by number, as runAsNonRoot of Kubernetes wants
USER 1000
WORKDIR /work
ENTRYPOINT ["cdk8s-load-balancers"]
CMD ["--help"]
