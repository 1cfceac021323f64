import { createPatientCaller, type CallerStatistics } from '../patient-caller.ts';

export interface PayerClient {
  /** Opens the payment page that the merchant sent the payer to. */
  openPage(token: string): Promise<{ readonly state: string }>;
  /** 'I have paid', with the UTR. */
  submitUtr(token: string, utr: string): Promise<{ readonly state: string }>;
  /** The M-Pesa payment request to the payer's phone. */
  askPhone(token: string, phone: string): Promise<{ readonly state: string }>;
}

export function createPayerClient(options: {
  readonly url: string | readonly string[];
  readonly statistics?: CallerStatistics;
}): PayerClient {
  const urls = typeof options.url === 'string' ? [options.url] : options.url;
  const caller = createPatientCaller(urls, options.statistics);
  const stateOf = (code: number, data: Readonly<Record<string, unknown>>) => ({
    state: code === 200 && typeof data['state'] === 'string' ? data['state'] : `refused ${code}`,
  });
  const post = async (token: string, what: string, input: object) => {
    const { code, data } = await caller.call(() => ({
      method: 'POST',
      path: `/v1.0/pay/${token}/${what}`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(input),
    }));
    return stateOf(code, data);
  };
  return {
    submitUtr: (token, utr) => post(token, 'paid', { utr }),
    askPhone: (token, phone) => post(token, 'stk', { phone }),
    async openPage(token) {
      const { code, data } = await caller.call(() => ({ method: 'GET', path: `/v1.0/pay/${token}` }));
      return stateOf(code, data);
    },
  };
}

/** The token is the last part of payUrl. */
export function tokenOf(payUrl: string): string {
  return new URL(payUrl).pathname.split('/').at(-1)!;
}
