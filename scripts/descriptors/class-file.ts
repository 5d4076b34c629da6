import { docComment, HEAD, Imports } from './code';
import { type DescribedClass, type DescribedController, type DescribedFactory, folderOf } from './descriptor';

const CONTRACT = 'src/contract/load-balancer-request';

/** The public class of a controller: its docs and factories. Its writer, which is written by hand, answers requests. */
export function classFile(of: DescribedController, described: DescribedClass): string {
  const imports = new Imports(folderOf(of));
  const code = classCode(of, described, imports);
  return `${HEAD}\n${imports}\n\n${code}\n`;
}

function classCode(of: DescribedController, described: DescribedClass, imports: Imports): string {
  const { doc, factories, hidden = {}, sharing, scope } = described;
  const { name: own } = described;
  const writer = imports.value(`${own}Writer`, `${folderOf(of)}/writer`);
  imports.value('definition', `${folderOf(of)}/writer`);
  imports.value('defineController', 'src/controllers/shared/definition');
  const isOne = Object.keys(factories).length === 1;
  const base = interfaceOf(sharing !== undefined, imports);
  const factory = (name: string, way: string, made: DescribedFactory, known?: string) => {
    const { options, doc: lines, throws, alsoTakes = [] } = made;
    imports.type(options, `${folderOf(of)}/options`);
    const names = known === undefined ? alsoTakes.map((other) => `, '${other}'`).join('') : '';
    const tags = ['@param options what the request does not decide', `@throws ${throws}`];
    const about = known === undefined ? [...lines.trim().split('\n'), '', ...tags] : [lines.trim(), '', '@internal'];
    const [takes, gives] =
      known === undefined
        ? [`options: ${options} = {}`, '']
        : [`options: ${options}, ${known}`, `, ${known.split(':')[0]}`];
    return `${docComment(about, '  ')}
  public static ${name}(${takes}): ${own} {
    refuseWrongProps('${own}.${way}', '${options}', options${names});
    return new ${own}(new ${writer}(${isOne ? '' : `'${way}', `}options${gives}));
  }`;
  };
  const all = Object.entries(factories).flatMap(([way, one]) => [
    factory(way, way, one),
    ...Object.entries(hidden)
      .filter(([, other]) => other.of === way)
      .map(([name, other]) => factory(name, way, { ...one, doc: other.doc }, other.known)),
  ]);
  const shared =
    sharing &&
    `${docComment(sharing.trim().split('\n'), '  ')}
  public shared(key: string): ${imports.type('ILoadBalancerController', CONTRACT)} {
    return ${own}._of(this._writer.shared(key));
  }

  /**
   * A controller by what answers for it.
   *
   * @internal
   */
  public static _of(writer: ${writer}): ${own} {
    return new ${own}(writer);
  }
`;
  return `${docComment(doc.trim().split('\n'), '')}
export class ${own} implements ${base} {
  /** @internal */
  public static readonly _kind: DefinedController = defineController(() => definition(${own}));

${all.join('\n\n')}

  /** \`${of.name}\` */
  public readonly name = ${imports.value(`${of.constant}_CONTROLLER`, `${folderOf(of)}/annotations`)};

  /** @internal */
  public readonly _writer: ${writer};

  private constructor(writer: ${writer}) {
    this._writer = writer;
  }
${shared ? `\n${shared}` : ''}
${bindCode(scope === undefined ? 'this._writer.bind(request)' : 'this._writer.bind(scope, request)', scope)}
}`;
}

/** The interface of a controller's class, with the imports that every such class needs. */
export function interfaceOf(isSharing: boolean, imports: Imports): string {
  imports.type('Construct', 'constructs');
  imports.type('LoadBalancerRequest', CONTRACT);
  imports.type('LoadBalancerPlan', 'src/contract/options');
  imports.type('DefinedController', 'src/rules/controller-definition');
  imports.value('refuseWrongProps', 'src/contract/declared-types');
  return imports.type(isSharing ? 'ISharingLoadBalancerController' : 'ILoadBalancerController', CONTRACT);
}

/** The method that answers requests; `scope` describes its first parameter if it is used. */
export function bindCode(answer: string, scope?: string): string {
  return `  /**
   * Answers a request.
   *
   * @param scope ${scope ?? 'not used: there are no side objects'}
   * @param request the wishes
   */
  public bind(scope: Construct, request: LoadBalancerRequest): LoadBalancerPlan {
${scope === undefined ? '    void scope;\n' : ''}    return ${answer};
  }`;
}
