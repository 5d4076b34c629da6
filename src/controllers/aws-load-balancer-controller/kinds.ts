import type { Json } from '../../contract/json';
import { type SchemaSubject, schemaRules } from '../../contract/schema/rules';
import { SchemaFault, type SchemaField, type SchemaRelease } from '../../contract/schema/walk';
import { type ControllerVersion, definitionOf } from '../../rules/controller-definition';
import type { Rule } from '../../rules/rule';
import type { ObjectContext } from '../../rules/rule-context';
import { AWS_LBC_CONTROLLER } from './annotations';
import { BINDING_VALIDATOR, DEFINITIONS_OF } from './kinds.facts';

/**
 * What the definition of a kind refuses or drops of its objects.
 *
 * @param definition the file with it
 * @param specOf the schema of `spec`; nothing where it is not known for an object
 */
export function kindRules(
  {
    definition,
    readFrom,
    ...subject
  }: Pick<SchemaSubject<ObjectContext>, 'prefix' | 'called'> & Readonly<Record<'definition' | 'readFrom', string>>,
  specOf: (object: Json) => SchemaField | undefined,
): readonly Rule<ObjectContext>[] {
  return schemaRules<ObjectContext>({
    ...subject,
    source: { ...BINDING_VALIDATOR, file: `config/crd/${definition}` },
    faults: [SchemaFault.MISSING, SchemaFault.SHAPE, SchemaFault.VALUE, SchemaFault.UNKNOWN, SchemaFault.TOO_NEW],
    warnings: [SchemaFault.UNKNOWN],
    part(object, context) {
      const fields = specOf(object)?.fields;
      return fields && { map: object.spec, fields, where: 'spec', at: '/spec', release: releaseIn(context, readFrom) };
    },
  });
}

function releaseIn(context: ObjectContext, readFrom: string): SchemaRelease {
  const versions = versionsIn(context);
  return {
    product: 'the AWS Load Balancer Controller',
    version: versions[0]?.version ?? DEFINITIONS_OF,
    readFrom,
    oldApi: false,
    has: (since) => versions.every((version) => version.reaches(since)),
    isAssumed: versions.length === 0,
  };
}

/** The version of each controller of the cluster that serves the kinds, as far as it is known. */
export function versionsIn({ controllers = [] }: ObjectContext): ControllerVersion[] {
  return controllers
    .filter(({ name }) => name === AWS_LBC_CONTROLLER)
    .flatMap((one) => definitionOf(one)?.versionOf?.(one) ?? []);
}
