import type { ServiceRow } from '../../support/cases';
import { key } from './aws.words';

/** What the rules say of certificates, for a controller that takes several of them. */
export function certificateRows(of: (annotations: Record<string, string>) => ServiceRow['service']): ServiceRow[] {
  const named = (...regions: string[]) =>
    of({ [key('ssl-cert')]: regions.map((region) => `arn:aws:acm:${region}:1:certificate/a`).join(',') });
  const known = { region: 'eu-west-1' };
  return [
    { title: 'a certificate of the region', service: named('eu-west-1'), known },
    {
      title: 'a certificate is where the balancer is',
      service: named('eu-west-1', 'us-east-1'),
      known,
      errors: ['certificate-of-another-region'],
    },
    {
      title: 'certificates are in one place',
      service: named('eu-west-1', 'us-east-1'),
      errors: ['certificates-of-one-region'],
    },
  ];
}
