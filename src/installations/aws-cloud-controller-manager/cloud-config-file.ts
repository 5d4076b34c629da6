import type { AwsCloudConfig } from './aws-cloud-config';
import { CLOUD_CONFIG_KEYS, ENDPOINT_KEYS, ENDPOINT_SECTION } from './aws-cloud-controller-manager.facts';

type Line = readonly [key: string, value: string];

const PLAIN = /^[\w.:/-]+$/;

/** A line of the file: what is no plain word would end at a `#` or `;`. */
function written([key, value]: Line): string {
  return `${key} = ${PLAIN.test(value) ? value : `"${value.replace(/(["\\])/g, '\\$1')}"`}`;
}

function linesOf(keys: Readonly<Record<string, string>>, said: Readonly<Record<string, unknown>>): Line[] {
  return Object.entries(keys).flatMap(([option, key]) => {
    const values = [said[option] ?? []].flat();
    return values.map((value): Line => [key, String(value)]);
  });
}

/** The file of a cloud config. */
export function cloudConfigFile({ endpoints = [], ...config }: AwsCloudConfig): string {
  const { nlbSecurityGroups, nodeIpFamilies, sharedHealthCheck } = config;
  const global = linesOf(CLOUD_CONFIG_KEYS, {
    ...config,
    disableSecurityGroupIngress: config.disableSecurityGroupIngress || undefined,
    nlbSecurityGroupMode: nlbSecurityGroups ? 'Managed' : undefined,
    sharedHealthCheck: sharedHealthCheck ? 'Shared' : undefined,
    nodeIpFamilies: nodeIpFamilies?.map((family) => family.toLowerCase()),
  });
  const sections = [
    ['[Global]', ...global.map(written)],
    ...endpoints.map((endpoint, i) => [
      `[${ENDPOINT_SECTION} "${i + 1}"]`,
      ...linesOf(ENDPOINT_KEYS, { ...endpoint }).map(written),
    ]),
  ];
  return sections.map((lines) => `${lines.join('\n')}\n`).join('\n');
}

/** The keys of the section `Global` of a finished file. */
export function globalOf(file: string): Record<string, string> {
  const [, global = ''] = /^\s*\[Global\]([\s\S]*?)(?=^\s*\[|(?![\s\S]))/im.exec(file) ?? [];
  return Object.fromEntries(
    [...global.matchAll(/^\s*(\w+)\s*=\s*"?(.*?)"?\s*$/gm)].map(([, key, value]) => [key.toLowerCase(), value]),
  );
}
