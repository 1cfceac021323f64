import { ROLES, type Role } from '@sangam/contract/roles.ts';
import { ConfigError, type Environment, wrongValue, valueOf } from './environment.ts';

/** The company's identity service (OpenID Connect). */
export interface CompanySignIn {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The name of the service on the button of the sign-in page. */
  readonly name: string;
  /** The claim of the ID token that lists a person's groups. */
  readonly groupsClaim: string;
  /** Which groups may be which role here. */
  readonly roles: ReadonlyMap<string, Role>;
}

const NEEDED = ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_ROLES', 'CONSOLE_ORIGIN'] as const;

/** Undefined unless OIDC_ISSUER is set. When it is set, the other variables are required too. */
export function readCompanySignIn(
  env: Environment,
  consoleOrigin: string | undefined,
): CompanySignIn | undefined {
  const issuer = valueOf(env, 'OIDC_ISSUER');
  if (issuer === undefined) return undefined;
  const url = URL.parse(issuer);
  const isSafe =
    url?.protocol === 'https:' ||
    (url?.protocol === 'http:' && /^(127\.0\.0\.1|localhost)$/.test(url.hostname));
  if (!isSafe) throw wrongValue('OIDC_ISSUER', issuer, 'the https address of the identity service');
  const clientId = valueOf(env, 'OIDC_CLIENT_ID');
  const clientSecret = valueOf(env, 'OIDC_CLIENT_SECRET');
  const roles = valueOf(env, 'OIDC_ROLES');
  if (!clientId || !clientSecret || !roles || consoleOrigin === undefined)
    throw new ConfigError(`OIDC_ISSUER is set, so ${NEEDED.join(', ')} must be set too.`);
  return {
    issuer,
    clientId,
    clientSecret,
    name: valueOf(env, 'OIDC_NAME') ?? url!.hostname,
    groupsClaim: valueOf(env, 'OIDC_GROUPS_CLAIM') ?? 'groups',
    roles: readRoles(roles),
  };
}

/** Reads a list such as `group=role,group=role`. */
function readRoles(text: string): ReadonlyMap<string, Role> {
  const pairs = text.split(',').map((pair) => {
    const at = pair.lastIndexOf('=');
    const role = ROLES.find((each) => each === pair.slice(at + 1).trim());
    const group = pair.slice(0, Math.max(at, 0)).trim();
    if (!role || group === '')
      throw wrongValue('OIDC_ROLES', text, 'group=role pairs with commas between them');
    return [group, role] as const;
  });
  return new Map(pairs);
}
