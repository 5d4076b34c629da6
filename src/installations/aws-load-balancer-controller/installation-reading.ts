import { isMap, type Json, list } from '../../contract/json';
import { AWS_LBC } from '../../controllers/aws-load-balancer-controller/annotations';
import { OWN_FLAGS } from './flags.facts';

/** The container of the controller in its finished Deployment. */
export function containerOf(deployment: Json): Json {
  const containers = containersOf(deployment);
  return containers.find(({ name }) => name === AWS_LBC) ?? containers.find(isController) ?? containers[0] ?? {};
}

/** Whether a finished Deployment runs the controller, whatever it is called. */
export function runsController(deployment: Json): boolean {
  return containersOf(deployment).some(isController);
}

function containersOf(deployment: Json): Json[] {
  return list<Json>(deployment.spec?.template?.spec?.containers).filter(isMap);
}

/** By its image, or where that has another name in a registry of one's own, by its flags. */
function isController(container: Json): boolean {
  const [image] = String(container.image ?? '').split(/[@]|:[^/]*$/);
  const flags = flagsIn(container);
  return (
    image.split('/').pop() === AWS_LBC ||
    (flags['cluster-name'] !== undefined && OWN_FLAGS.some((flag) => flags[flag] !== undefined))
  );
}

/** What a finished Deployment says by flag; of a flag that stands twice the last one counts. */
export function flagsOf(deployment: Json): Readonly<Record<string, string>> {
  return flagsIn(containerOf(deployment));
}

/** Every rule asks: what stands in a finished container is read once. */
const READ = new WeakMap<Json, Readonly<Record<string, string>>>();

function flagsIn(container: Json): Readonly<Record<string, string>> {
  const read = READ.get(container) ?? readFlags(container);
  READ.set(container, read);
  return read;
}

function readFlags(container: Json): Record<string, string> {
  const texts = [...list(container.command), ...list(container.args)].map(String);
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
