export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A variable that may stand in the file that `NAME_FILE` names, as containers hand over secrets.
 *
 * @param errors takes a sentence for what is wrong
 */
export function readSecret(
  name: string,
  env: Environment,
  readFile: (path: string) => string,
  errors: string[],
): string | undefined {
  const path = env[`${name}_FILE`];
  if (path === undefined) return env[name];
  if (env[name] !== undefined) {
    errors.push(`Set ${name} or ${name}_FILE, not both.`);
    return undefined;
  }
  try {
    // An editor or `echo` ends the file with a line break that is no part of the secret.
    return readFile(path).replace(/\r?\n$/, '');
  } catch {
    errors.push(`Set ${name}_FILE to a file that can be read.`);
    return undefined;
  }
}
