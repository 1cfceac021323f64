/** A way to the company's identity service and back, kept by the window that began it. */
const KEY = 'sangam.company';

export interface CompanyVisit {
  readonly state: string;
  /** Links the user who is signed in; else it signs somebody in. */
  readonly links: boolean;
}

export function leaveForCompany(
  { url, state }: { readonly url: string; readonly state: string },
  links: boolean,
): void {
  sessionStorage.setItem(KEY, JSON.stringify({ state, links } satisfies CompanyVisit));
  location.assign(url);
}

/** The visit that this address is the end of: another's answer is put under no visit of ours. Once only. */
export function visitThatEnds(query: string): CompanyVisit | undefined {
  const text = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  const visit = text === null ? undefined : (JSON.parse(text) as CompanyVisit);
  return visit && new URLSearchParams(query).get('state') === visit.state ? visit : undefined;
}
