/** Where the demo's merchants take notifications of orders that a visitor makes, and show them. */
export const DEMO_CATCHER = 'http://127.0.0.1:8093';

export const catcherUrl = (mchId: string, mchOrderNo: string): string =>
  `${DEMO_CATCHER}/notify/${mchId}/${encodeURIComponent(mchOrderNo)}`;
