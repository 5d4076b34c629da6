import type { IConstruct } from 'constructs';
import type { Json } from '../contract/json';
import { SynthWatch } from './synth-watch';

/** What was rendered in a pass of a synth; it goes with the pass. */
const RENDERED = new WeakMap<object, Map<PassRendering, Json>>();

/**
 * An object as it is now. While a synth looks at its objects one after the other, none of them changes: it is rendered once
 * then, and anew at any other time.
 */
export class PassRendering {
  public constructor(
    private readonly object: IConstruct,
    private readonly render: () => Json,
  ) {}

  public json(): Json {
    const pass = SynthWatch.find(this.object)?.currentPass;
    if (pass === undefined) {
      return this.render();
    }
    const rendered = RENDERED.get(pass) ?? new Map<PassRendering, Json>();
    RENDERED.set(pass, rendered);
    const json = rendered.get(this) ?? this.render();
    rendered.set(this, json);
    return json;
  }
}
