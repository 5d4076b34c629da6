/** A part of the controller that wants rules, kinds and webhooks of its own. The reconciler of Ingresses cannot be switched off. main.go */
export type Part = 'core' | 'ingress' | 'gateway' | 'global-accelerator' | 'alb-target-control' | 'service-webhook';

/** The parts that run with these gates. */
export function partsOf(gates: Readonly<Record<string, boolean>>, serviceWebhook: boolean): ReadonlySet<Part> {
  const parts = new Set<Part>(['core', 'ingress']);
  if (gates.NLBGatewayAPI || gates.ALBGatewayAPI) {
    parts.add('gateway');
  }
  if (gates.GlobalAcceleratorController) {
    parts.add('global-accelerator');
  }
  if (gates.ALBTargetControlAgent) {
    parts.add('alb-target-control');
  }
  if (serviceWebhook) {
    parts.add('service-webhook');
  }
  return parts;
}
