import { ALL_SPEC_FEATURES, loadAssemblyFromPath } from '@jsii/spec';

/** What the docstring of a type or member says. */
export interface Docs {
  readonly summary?: string;
  readonly remarks?: string;
  readonly default?: string;
  readonly returns?: string;
  readonly see?: string;
  readonly example?: string;
  readonly deprecated?: string;
  readonly custom?: { readonly throws?: string };
}

export interface TypeReference {
  readonly primitive?: string;
  readonly fqn?: string;
  readonly collection?: { readonly kind: 'array' | 'map'; readonly elementtype: TypeReference };
}

/** A property or a parameter. */
export interface Value {
  readonly name: string;
  readonly type: TypeReference;
  readonly docs?: Docs;
  readonly optional?: boolean;
  readonly variadic?: boolean;
  readonly static?: boolean;
  readonly immutable?: boolean;
}

export interface Method {
  readonly name?: string;
  readonly docs?: Docs;
  readonly parameters?: readonly Value[];
  readonly returns?: { readonly type: TypeReference; readonly optional?: boolean };
  readonly static?: boolean;
  readonly protected?: boolean;
}

/** A class, a struct (an interface that is data alone), an interface or an enum of the compiled library. */
export interface ApiType {
  readonly fqn: string;
  readonly name: string;
  readonly kind: 'class' | 'interface' | 'enum';
  readonly datatype?: boolean;
  readonly abstract?: boolean;
  readonly base?: string;
  readonly interfaces?: readonly string[];
  readonly docs?: Docs;
  readonly initializer?: Method;
  readonly methods?: readonly Method[];
  readonly properties?: readonly Value[];
  readonly members?: readonly { readonly name: string; readonly docs?: Docs }[];
  readonly locationInModule: { readonly filename: string };
}

/** Every public type of the compiled library, whose assembly may be compressed. */
export function typesOf(root: string): ApiType[] {
  return Object.values(
    (loadAssemblyFromPath(root, false, [...ALL_SPEC_FEATURES]).types ?? {}) as Record<string, ApiType>,
  );
}
