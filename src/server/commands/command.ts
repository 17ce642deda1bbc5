import type { Config } from '../config/config.ts';

/**
 * One of the desk's commands: it answers whether all went well, which is the exit code.
 *
 * @throws {CannotStart} where it cannot do its work at all
 */
export type Command = (given: {
  config: Config;
  /** What stands behind its name. */
  options: readonly string[];
  say: (sentence: string) => void;
}) => Promise<boolean>;
