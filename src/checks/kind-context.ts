import type { CheckContext } from './context/check-context';

/** What rules may know of the cluster that some files are applied to. */
export type KindContext = Partial<
  Pick<CheckContext, 'controllers' | 'areControllersInferred' | 'kubernetes' | 'strimzi' | 'isStrimziInferred'>
>;
