import { bindCode, interfaceOf } from './class-file';
import { docComment, headOf, Imports, literal } from './code';
import { type DescribedController, type DescribedWay, type DescribedWriting, keyOf, structOf } from './descriptor';
import { declarationsBody } from './options-file';

const FOLDER = 'src/controllers/vendors';

type Written = DescribedController & { readonly writing: DescribedWriting };

/** The classes by which load balancers of vendors are written, with their options, and how each answers requests. */
export function writersFiles(all: readonly DescribedController[]): Map<string, string> {
  const written = all.filter((of): of is Written => of.writing !== undefined);
  const file = (make: (of: Written, imports: Imports) => string) => {
    const imports = new Imports(FOLDER);
    const body = written.map((of) => make(of, imports)).join('\n\n');
    return `${headOf('the descriptors in this folder')}\n${imports}\n\n${body}\n`;
  };
  return new Map([
    [`${FOLDER}/options.ts`, file(declarationsBody)],
    [`${FOLDER}/writers.ts`, file(classCode)],
    [`${FOLDER}/writings.facts.ts`, writingsFile(written)],
  ]);
}

function writingsFile(all: readonly Written[]): string {
  const imports = new Imports(FOLDER);
  const type = imports.type('VendorWriting', `${FOLDER}/vendor-writer`);
  const rows = all.map((of) => {
    const ways = Object.entries(of.writing.ways).map(([name, way]) => `    ${name}: ${literal(wayOf(way, of))},`);
    return `  ${literal(of.name)}: {\n${ways.join('\n')}\n  },`;
  });
  return `${headOf('the descriptors in this folder')}
${imports}

/** How load balancers are written, by the name of the controller and the factory of its class. */
export const VENDOR_WRITINGS: Readonly<Record<string, Readonly<Record<string, ${type}>>>> = {
${rows.join('\n')}
};
`;
}

/** A way to write with whole keys, and with what holds for all ways. */
function wayOf(way: DescribedWay, of: Written): object {
  const { writing } = of;
  const answers = { ...writing.answers, ...way.answers };
  const one = {
    loadBalancerClass: way.loadBalancerClass ?? writing.loadBalancerClass,
    fixed: Object.fromEntries(
      Object.entries({ ...writing.fixed, ...way.fixed }).map(([key, value]) => [known(key, of), value]),
    ),
    scheme: way.scheme ?? writing.scheme,
    clientAddress: way.clientAddress ?? writing.clientAddress,
    healthCheck: { ...writing.healthCheck, ...way.healthCheck },
    answers,
    sideObjects: way.sideObjects && {
      marked: writing.marked,
      objects: way.sideObjects.map((one) => ({ name: one, ...(writing.sideObjects?.[one] as object) })),
    },
  };
  return JSON.parse(JSON.stringify(one), (name, value) =>
    name === 'annotation' || name === 'byProxy' ? known(value, of) : value,
  );
}

function known(key: string, of: Written): string {
  if (!of.annotations[key]) {
    throw new Error(`${FOLDER}: ${of.name}: no annotation is called '${key}'`);
  }
  return keyOf(key, of);
}

function classCode(of: Written, imports: Imports): string {
  const { name, writing } = of;
  const { class: own, ways, sharing } = writing;
  const base = interfaceOf(sharing !== undefined, imports);
  const structs = [...new Set(Object.entries(ways).map(([way, described]) => structOf(writing, way, described)))];
  for (const struct of structs) imports.type(struct, `${FOLDER}/options`);
  for (const value of ['annotationsOfVendor', 'planOfVendor']) imports.value(value, `${FOLDER}/vendor-writer`);
  imports.value('vendorKind', `${FOLDER}/vendor-kinds`);
  imports.value('VENDOR_WRITINGS', `${FOLDER}/writings.facts`);
  const factories = Object.entries(ways).map(([way, described]) => {
    const struct = structOf(writing, way, described);
    const lines = [
      described.doc,
      '',
      '@param options what the request does not decide',
      '@throws on a value that the controller would not read',
    ];
    return `${docComment(lines, '  ')}
  public static ${way}(options: ${struct} = {}): ${own} {
    refuseWrongProps('${own}.${way}', '${struct}', options);
    return new ${own}('${way}', options);
  }`;
  });
  const shared =
    sharing === undefined
      ? ''
      : `
  /**
   * The same, with an address that all Services of one key share. They need different ports.
   *
   * @param key what the sharers have in common
   */
  public shared(key: string): ILoadBalancerController {
    return new ${own}(this.way, { ...this.options, ${sharing}: key });
  }
`;
  if (sharing) imports.type('ILoadBalancerController', 'src/contract/load-balancer-request');
  return `${docComment([...writing.doc.trim().split('\n'), '', `@see ${writing.see}`], '')}
export class ${own} implements ${base} {
${factories.join('\n\n')}

  /** \`${name}\` */
  public readonly name = ${literal(name)};

  /** @internal */
  public readonly _kind: DefinedController;

  private readonly annotations: Readonly<Record<string, string>>;

  private constructor(
    private readonly way: string,
    private readonly options: ${structs.join(' & ')},
  ) {
    const definition = vendorKind(this.name);
    this._kind = { definition };
    this.annotations = annotationsOfVendor(definition, VENDOR_WRITINGS[this.name][way], options);
  }
${shared}
${bindCode('planOfVendor(this._kind.definition, VENDOR_WRITINGS[this.name][this.way], { annotations: this.annotations, options: this.options, request, scope })', 'parent of the objects beside the Service, if there are any')}
}`;
}
