import i18next from 'i18next';

/** Sends a signed call of the merchant API as the merchant's own server would: no session, no token. */
export async function postSigned(
  url: string,
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: string | FormData },
): Promise<Response> {
  try {
    return await fetch(url, { method: 'POST', credentials: 'omit', headers, body });
  } catch {
    throw new Error(i18next.t('errors.noAnswer'));
  }
}
