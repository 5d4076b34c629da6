import type { Json } from '../../contract/late-rendering';
import { AWS_LBC } from '../../controllers/aws-load-balancer-controller.product.annotations';

/** The container of the controller in its finished Deployment. */
export function containerOf(deployment: Json): Json {
  const containers: Json[] = deployment.spec?.template?.spec?.containers ?? [];
  return containers.find(({ name }) => name === AWS_LBC) ?? containers[0] ?? {};
}

/** What a finished Deployment says by flag; of a flag that stands twice the last one counts. */
export function flagsOf(deployment: Json): Record<string, string> {
  const { args = [], command = [] } = containerOf(deployment);
  const texts: string[] = [...command, ...args].map(String);
  return Object.fromEntries(
    texts.flatMap((text, i) => {
      const match = /^--?([^=\s]+)(?:=(.*))?$/s.exec(text);
      return match ? [[match[1], match[2] ?? texts[i + 1] ?? '']] : [];
    }),
  );
}

/** Pairs as the controller reads them; what stands between two commas without a sign of equality has no value. */
export function pairsIn(text: string | undefined): [key: string, value: string | undefined][] {
  return (text ?? '')
    .split(',')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [key, ...value] = pair.split('=');
      return [key.trim(), value.length > 0 ? value.join('=').trim() : undefined];
    });
}

/** The gates that a finished Deployment says, as texts. */
export function gatesIn(deployment: Json): Record<string, string> {
  return Object.fromEntries(pairsIn(flagsOf(deployment)['feature-gates']).map(([gate, value = '']) => [gate, value]));
}
