/* What the readers of the environment share. */

/** The environment holds a value that we cannot use. The message is one sentence for the person who set it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export type Environment = Record<string, string | undefined>;

export function valueOf(env: Environment, name: string): string | undefined {
  return env[name]?.trim() || undefined;
}

export function oneOf<const Value extends string>(
  env: Environment,
  name: string,
  allowed: readonly Value[],
  fallback: Value,
): Value {
  const value = valueOf(env, name) ?? fallback;
  const known = allowed.find((candidate) => candidate === value);
  if (known === undefined) throw wrongValue(name, value, `one of ${allowed.join(', ')}`);
  return known;
}

export function flag(env: Environment, name: string, fallback: boolean): boolean {
  return oneOf(env, name, ['0', '1'], fallback ? '1' : '0') === '1';
}

export function wrongValue(name: string, value: string, allowed: string): ConfigError {
  return new ConfigError(`${name} is ${JSON.stringify(value)} but must be ${allowed}.`);
}
