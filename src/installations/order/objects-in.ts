import { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';

export function objectsIn(constructs: readonly IConstruct[]): ApiObject[] {
  return constructs.flatMap((construct) =>
    construct.node.findAll().filter((found): found is ApiObject => ApiObject.isApiObject(found)),
  );
}
