import type { Role } from '@sangam/contract/roles.ts';
import * as oidc from 'openid-client';
import type { CompanySignIn } from '../../platform/company-config.ts';
import { perPlatform } from '../../platform/node-state.ts';
import type { Platform } from '../../platform/platform.ts';
import { type Refusal, refuse } from '../../platform/refusal.ts';
import type { Identity } from './store.ts';

/** Seconds. */
const LONGEST_ANSWER = 10;

interface Service {
  readonly company: CompanySignIn;
  /** The address to which it sends browsers back. */
  readonly redirectUri: string;
  readonly configuration: oidc.Configuration;
}

/** The service is asked once for its configuration, and again if it did not answer. */
const discovered = perPlatform((platform) => {
  let asked: Promise<oidc.Configuration> | undefined;
  return (company: CompanySignIn): Promise<oidc.Configuration> => {
    asked ??= discover(company).catch((error: unknown) => {
      asked = undefined;
      platform.log.warn({ err: error, issuer: company.issuer }, 'the identity service did not answer');
      throw error;
    });
    return asked;
  };
});

function discover({ issuer, clientId, clientSecret }: CompanySignIn): Promise<oidc.Configuration> {
  const isHere = issuer.startsWith('http:');
  return oidc.discovery(new URL(issuer), clientId, clientSecret, undefined, {
    timeout: LONGEST_ANSWER,
    // Plain HTTP is allowed only to this machine (company-config.ts).
    ...(isHere && { execute: [oidc.allowInsecureRequests] }),
  });
}

/** The company's identity service; 404 where none is configured, 503 where it does not answer. */
async function serviceOf(platform: Platform): Promise<Service | Refusal> {
  const { companySignIn, consoleOrigin } = platform.config;
  if (!companySignIn || consoleOrigin === undefined) return refuse('notFound');
  try {
    const configuration = await discovered(platform)(companySignIn);
    return { company: companySignIn, redirectUri: `${consoleOrigin}/companySignIn`, configuration };
  } catch {
    return refuse('identityServiceSilent');
  }
}

export interface Way {
  readonly url: string;
  readonly verifier: string;
  readonly nonce: string;
}

/** The service's address to which a browser is sent to sign in (authorization code with PKCE, state and nonce). */
export async function wayTo(platform: Platform, state: string): Promise<Way | Refusal> {
  const service = await serviceOf(platform);
  if (!('configuration' in service)) return service;
  const verifier = oidc.randomPKCECodeVerifier();
  const nonce = oidc.randomNonce();
  const url = oidc.buildAuthorizationUrl(service.configuration, {
    redirect_uri: service.redirectUri,
    scope: 'openid',
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
  });
  return { url: url.href, verifier, nonce };
}

export interface Person extends Identity {
  /** The roles that the person's groups allow here. */
  readonly roles: ReadonlySet<Role>;
}

/** Who signed in at the service. 1010 where the answer is invalid: another state, a used code, a wrong signature, or an old token. */
export async function whoCameBack(
  platform: Platform,
  visit: Pick<Way, 'verifier' | 'nonce'> & { readonly state: string },
  query: string,
): Promise<Person | Refusal> {
  const service = await serviceOf(platform);
  if (!('configuration' in service)) return service;
  const { company, redirectUri, configuration } = service;
  try {
    const tokens = await oidc.authorizationCodeGrant(configuration, new URL(`${redirectUri}?${query}`), {
      pkceCodeVerifier: visit.verifier,
      expectedNonce: visit.nonce,
      expectedState: visit.state,
      idTokenExpected: true,
    });
    const claims = tokens.claims()!;
    const listed = claims[company.groupsClaim];
    const groups = Array.isArray(listed) ? listed : [listed];
    const roles = groups.map((group) => (typeof group === 'string' ? company.roles.get(group) : undefined));
    return {
      issuer: claims.iss,
      subject: claims.sub,
      roles: new Set(roles.filter((role) => role !== undefined)),
    };
  } catch (error) {
    platform.log.info({ err: error }, 'what the identity service sent back does not hold');
    return refuse('identityWrong');
  }
}
