import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT, exportJWK, generateKeyPair } from 'jose';

interface Granted {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly nonce: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

const bodyOf = async (request: IncomingMessage): Promise<URLSearchParams> => {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return new URLSearchParams(text);
};

/** An OpenID provider on this machine, with only what the authorization code flow with PKCE needs. */
export async function openIdentityProvider(client: { readonly id: string; readonly secret: string }) {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  const grants = new Map<string, Granted>();

  /** Exchanges a code once, for the caller with the verifier and the client's secret. */
  async function exchange(request: IncomingMessage): Promise<object | undefined> {
    const form = await bodyOf(request);
    const [id, secret] = Buffer.from((request.headers.authorization ?? '').replace('Basic ', ''), 'base64')
      .toString()
      .split(':');
    const shown = { id: form.get('client_id') ?? id, secret: form.get('client_secret') ?? secret };
    const granted = grants.get(form.get('code') ?? '');
    grants.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (
      shown.id !== client.id ||
      shown.secret !== client.secret ||
      granted?.challenge !== challenge ||
      granted.redirectUri !== form.get('redirect_uri')
    )
      return undefined;
    const token = await new SignJWT({ ...granted.claims, nonce: granted.nonce })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer(issuer)
      .setAudience(granted.clientId)
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(privateKey);
    return { access_token: randomUUID(), token_type: 'Bearer', expires_in: 300, id_token: token };
  }

  const server = createServer((request, response) => {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.url === '/.well-known/openid-configuration')
      answer(200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        code_challenge_methods_supported: ['S256'],
      });
    else if (request.url === '/jwks') answer(200, { keys: [jwk] });
    else if (request.url === '/token')
      void exchange(request).then((tokens) =>
        tokens ? answer(200, tokens) : answer(400, { error: 'invalid_grant' }),
      );
    else answer(404, {});
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    issuer,
    /** A person consents at the URL where a sign-in begins. Answers the query with which the browser comes back. */
    approve(url: string, claims: Readonly<Record<string, unknown>>): string {
      const asked = new URL(url).searchParams;
      const code = randomUUID();
      grants.set(code, {
        clientId: asked.get('client_id')!,
        redirectUri: asked.get('redirect_uri')!,
        challenge: asked.get('code_challenge')!,
        nonce: asked.get('nonce')!,
        claims,
      });
      return new URLSearchParams({ code, state: asked.get('state')! }).toString();
    },
    close: () => new Promise<void>((closed) => server.close(() => closed())),
  };
}
