import type { IConstruct } from 'constructs';
import { perApp } from '../../contract/per-app';

/** A class of Services, in namespaces with some labels. */
export interface ClassInNamespaces {
  readonly loadBalancerClass: string;
  readonly namespaceLabels: { readonly [key: string]: string };
}

const servedIn = perApp(() => ({ classes: [] as ClassInNamespaces[], waiting: new Set<() => void>() }));

/** Registers that the app serves Services of a class. */
export function registerServed(server: IConstruct, served: ClassInNamespaces): void {
  const { classes, waiting } = servedIn(server);
  classes.push(served);
  for (const look of waiting) {
    look();
  }
}

/** True if something in the app serves Services of a class in all namespaces with the labels. */
export function isServed(host: IConstruct, { loadBalancerClass, namespaceLabels }: ClassInNamespaces): boolean {
  return servedIn(host).classes.some(
    (served) =>
      served.loadBalancerClass === loadBalancerClass &&
      Object.entries(served.namespaceLabels).every(([key, value]) => namespaceLabels[key] === value),
  );
}

/** Calls something once as soon as the app serves a class: at once, or when what serves it is made. */
export function whenServed(host: IConstruct, asked: ClassInNamespaces, act: () => void): void {
  const { waiting } = servedIn(host);
  const look = () => {
    if (isServed(host, asked)) {
      waiting.delete(look);
      act();
    }
  };
  waiting.add(look);
  look();
}
