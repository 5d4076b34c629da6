import type { Json } from '../../contract/json';
import { dnsLabelFault, dnsNameFault, serviceNameFault } from '../../contract/kubernetes-syntax';
import { namesOf } from './installation-names';
import { flagsOf } from './installation-reading';
import { type InstallationRule, installationError } from './installation-rule';

const nameOf = (object: Json | undefined): string | undefined => object?.metadata?.name;

/** What the objects of an installation are called, and where they are. */
export const NAME_RULES: readonly InstallationRule[] = [
  installationError(
    'installation-name',
    'every name that is made of the name of the installation is one',
    'helm/aws-load-balancer-controller/templates/_helpers.tpl',
    ({ deployment }) => {
      const { name = '', namespace = '' } = deployment.metadata ?? {};
      const fault = dnsLabelFault(name) ?? serviceNameFault(namesOf(name, namespace, '').webhookService);
      return fault
        ? {
            what: `is called '${name}', of which no names can be made: ${fault}`,
            remedy: 'write a shorter name in lower case',
            value: name,
          }
        : undefined;
    },
  ),
  installationError(
    'installation-namespace',
    'the namespace of the controller is one',
    'helm/aws-load-balancer-controller/templates/deployment.yaml',
    ({ deployment }) => {
      const namespace: string = deployment.metadata?.namespace ?? '';
      const fault = dnsLabelFault(namespace);
      return fault
        ? { what: `is in a namespace that is none: ${fault}`, remedy: 'name one in lower case', value: namespace }
        : undefined;
    },
  ),
  installationError(
    'ingress-class-name',
    'the class of Ingresses is one that an IngressClass can be called, and the one that the controller is told',
    'pkg/config/ingress_config.go',
    ({ deployment, ingressClass }) => {
      const said = nameOf(ingressClass) ?? flagsOf(deployment)['ingress-class'];
      const fault = said?.startsWith('*')
        ? `'${said}' is no DNS name`
        : said === undefined
          ? undefined
          : dnsNameFault(said);
      return fault
        ? { what: `serves a class of Ingresses that is none: ${fault}`, remedy: 'write it like alb', value: said }
        : undefined;
    },
  ),
];
