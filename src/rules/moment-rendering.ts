import type { IConstruct } from 'constructs';
import type { Json } from '../contract/json';
import { SynthWatch } from './synth-watch';

/** What was rendered in a moment of a synth; it goes with the moment. */
const RENDERED = new WeakMap<object, Map<MomentRendering, Json>>();

/**
 * An object as it is now. While a synth looks at its objects one after the other, none of them changes: it is rendered once
 * then, and anew at any other time.
 */
export class MomentRendering {
  public constructor(
    private readonly object: IConstruct,
    private readonly render: () => Json,
  ) {}

  public json(): Json {
    const moment = SynthWatch.find(this.object)?.moment;
    if (moment === undefined) {
      return this.render();
    }
    const rendered = RENDERED.get(moment) ?? new Map<MomentRendering, Json>();
    RENDERED.set(moment, rendered);
    const json = rendered.get(this) ?? this.render();
    rendered.set(this, json);
    return json;
  }
}
