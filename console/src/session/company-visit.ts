/** A visit to the company's identity service, stored by the window that began it. */
const KEY = 'sangam.company';

export interface CompanyVisit {
  readonly state: string;
  /** True: links the signed-in user. False: signs somebody in. */
  readonly links: boolean;
}

export function leaveForCompany(
  { url, state }: { readonly url: string; readonly state: string },
  links: boolean,
): void {
  sessionStorage.setItem(KEY, JSON.stringify({ state, links } satisfies CompanyVisit));
  location.assign(url);
}

/** The visit that this redirect ends. Undefined where this window did not begin it. Each visit can be read once. */
export function visitThatEnds(query: string): CompanyVisit | undefined {
  const text = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  const visit = text === null ? undefined : (JSON.parse(text) as CompanyVisit);
  return visit && new URLSearchParams(query).get('state') === visit.state ? visit : undefined;
}
