import { HELD_RELEASES, strimziRelease } from '../strimzi/strimzi-crds';
import { strimziToolchain } from '../strimzi/toolchain';

/** What the tests with Strimzi's own definitions and model need; or why they are left out. */
export interface StrimziTests {
  readonly env: NodeJS.ProcessEnv;
  /** Where they are left out: the reason, in one sentence. */
  readonly leftOut?: string;
}

/** @param scratch a folder that the caller removes */
export function strimziTests(suite: string, scratch: string, toolchain = strimziToolchain()): StrimziTests {
  if ('lack' in toolchain) {
    const leftOut = `${suite} left out the tests with Strimzi's own definitions and model, which need ${toolchain.lack}`;
    return { leftOut, env: { STRIMZI_LEFT_OUT: leftOut } };
  }
  const { jdk } = toolchain;
  const releases = HELD_RELEASES.map((version) => strimziRelease(version, jdk, scratch));
  return { env: { STRIMZI: JSON.stringify({ java: jdk.java, releases }) } };
}
