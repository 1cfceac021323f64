import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';

/** How a payment request to a phone ends, by the last digit of the phone number. With any other digit the payer pays. */
const STK_ENDS: Readonly<Record<string, readonly [number, string]>> = {
  '1': [1, 'The balance is insufficient for the transaction.'],
  '2': [1032, 'Request cancelled by user'],
  '7': [1037, 'DS timeout user cannot be reached'],
};
/** How a payout ends, by the last digit of the phone number. With any other digit it is paid. */
const B2C_ENDS: Readonly<Record<string, 'failed' | 'timeout' | 'errorAfter' | 'refused' | 'silent'>> = {
  '1': 'failed',
  '2': 'timeout',
  '3': 'errorAfter',
  '4': 'refused',
  '5': 'silent',
};

export interface PaidOut {
  readonly key: string;
  readonly phone: string;
  /** Shillings. */
  readonly amount: number;
  readonly receipt: string;
  readonly failed: boolean;
  readonly resultUrl: string;
  readonly timeoutUrl: string;
}

export interface SimulatedDaraja {
  readonly url: string;
  readonly payouts: readonly PaidOut[];
  /** Keys of the payouts requested, whatever was answered. */
  readonly sends: readonly string[];
  readonly registered: ReadonlyMap<string, { readonly confirmation: string; readonly validation: string }>;
  /** A payer pays to a short code by hand. Returns the receipt, or M-Pesa's refusal after validation. */
  payBill(payment: BillPayment): Promise<{ readonly receipt: string } | { readonly refused: string }>;
  /** Sends what is due: results of payouts, ends of payment requests, lost confirmations. Returns their number. */
  tell(): Promise<number>;
  stop(): Promise<void>;
}

export interface BillPayment {
  readonly shortCode: string;
  /** Shillings, as M-Pesa writes them. */
  readonly amount: string;
  readonly reference: string;
  readonly phone?: string;
  /** How often the confirmation is sent; 0: it is lost. */
  readonly times?: number;
}

export interface DarajaNodeOptions {
  readonly port?: number;
  readonly keyId: string;
  readonly keySecret: string;
  readonly now?: () => number;
  /** A file that keeps the registered addresses, as M-Pesa does for good. */
  readonly memory?: string;
  /** Makes the calls to the platform: over the network, unless a test passes its own function. */
  readonly deliver?: (
    url: string,
    body: object,
  ) => Promise<{ readonly status: number; readonly body: unknown }>;
}

type Body = Readonly<Record<string, string | number>>;

/** A simulation of M-Pesa's Daraja API on this machine. */
export async function startDaraja(options: DarajaNodeOptions): Promise<SimulatedDaraja> {
  const { port = 0, keyId, keySecret, now = Date.now, memory, deliver = post } = options;
  const registered = new Map<string, Registration>(memory === undefined ? [] : await recall(memory));
  const payouts = new Map<string, PaidOut>();
  const sends: string[] = [];
  const balances = new Map<string, number>();
  const stk = new Map<string, { readonly code: number; readonly text: string }>();
  let due: (() => Promise<unknown>)[] = [];
  let receipts = 0;

  const receiptOf = () => {
    receipts += 1;
    const time = Math.floor(now() / 1_000)
      .toString(36)
      .toUpperCase()
      .slice(-5);
    return `T${time}${receipts.toString(36).toUpperCase().padStart(4, '0')}`.slice(0, 10).padEnd(10, 'X');
  };
  const stamp = () => new Date(now() + 3 * 3_600_000).toISOString().replace(/\D/g, '').slice(0, 14);

  function confirmationOf(
    { shortCode, amount, reference, phone = '254712345678' }: BillPayment,
    receipt: string,
  ) {
    const balance = (balances.get(shortCode) ?? 0) + Math.round(Number(amount) * 100);
    balances.set(shortCode, balance);
    return {
      TransactionType: 'Pay Bill',
      TransID: receipt,
      TransTime: stamp(),
      TransAmount: amount,
      BusinessShortCode: shortCode,
      BillRefNumber: reference,
      InvoiceNumber: '',
      OrgAccountBalance: (balance / 100).toFixed(2),
      ThirdPartyTransID: '',
      MSISDN: `${phone.slice(0, 4)} ***** ${phone.slice(-3)}`,
      FirstName: 'WANJIKU',
      MiddleName: '',
      LastName: 'KAMAU',
    };
  }

  async function payBill(payment: BillPayment): Promise<{ receipt: string } | { refused: string }> {
    const urls = registered.get(payment.shortCode);
    const receipt = receiptOf();
    const asked =
      urls &&
      (await deliver(urls.validation, {
        ...confirmationOf({ ...payment, amount: '0' }, receipt),
        TransAmount: payment.amount,
        OrgAccountBalance: '',
      }));
    const answer = asked?.body as { ResultCode?: string | number } | undefined;
    // The addresses were registered with 'Completed': without an answer to the validation, the payment goes through.
    if (answer?.ResultCode !== undefined && String(answer.ResultCode) !== '0')
      return { refused: String(answer.ResultCode) };
    const told = confirmationOf(payment, receipt);
    const tell = async () => urls && deliver(urls.confirmation, told);
    for (let time = 0; time < (payment.times ?? 1); time += 1) await tell();
    return { receipt };
  }

  function push(body: Body): object {
    const phone = String(body['PhoneNumber']);
    const [code, text] = STK_ENDS[phone.slice(-1)] ?? [0, 'The service request is processed successfully.'];
    const receipt = receiptOf();
    const id = `ws_CO_${now()}_${receipts}`;
    due.push(async () => {
      stk.set(id, { code, text });
      const items = [
        { Name: 'Amount', Value: body['Amount'] },
        { Name: 'MpesaReceiptNumber', Value: receipt },
        { Name: 'TransactionDate', Value: Number(stamp()) },
        { Name: 'PhoneNumber', Value: Number(phone) },
      ];
      const stkCallback = {
        MerchantRequestID: `m-${id}`,
        CheckoutRequestID: id,
        ResultCode: code,
        ResultDesc: text,
        ...(code === 0 ? { CallbackMetadata: { Item: items } } : {}),
      };
      await deliver(String(body['CallBackURL']), { Body: { stkCallback } });
      const urls = registered.get(String(body['BusinessShortCode']));
      // The confirmation has the same receipt.
      if (code === 0 && urls)
        await deliver(
          urls.confirmation,
          confirmationOf(
            {
              shortCode: String(body['BusinessShortCode']),
              amount: `${body['Amount']}.00`,
              reference: String(body['AccountReference']),
              phone,
            },
            receipt,
          ),
        );
    });
    return {
      MerchantRequestID: `m-${id}`,
      CheckoutRequestID: id,
      ResponseCode: '0',
      ResponseDescription: 'Success',
    };
  }

  function pay(body: Body): { status: number; body: object } | undefined {
    const key = String(body['OriginatorConversationID']);
    const phone = String(body['PartyB']);
    const end = B2C_ENDS[phone.slice(-1)];
    sends.push(key);
    if (payouts.has(key)) return fail(500, '500.002.1001', 'Duplicate OriginatorConversationID.');
    if (end === 'refused') return fail(400, '400.002.02', 'Bad Request - Invalid PartyB');
    const payout: PaidOut = {
      key,
      phone,
      amount: Number(body['Amount']),
      receipt: receiptOf(),
      failed: end === 'failed',
      resultUrl: String(body['ResultURL']),
      timeoutUrl: String(body['QueueTimeOutURL']),
    };
    payouts.set(key, payout);
    due.push(() =>
      end === 'timeout' || end === 'silent'
        ? end === 'timeout'
          ? deliver(payout.timeoutUrl, {})
          : Promise.resolve()
        : deliver(payout.resultUrl, resultOf(payout)),
    );
    if (end === 'errorAfter') return fail(500, '500.003.02', 'Error Occurred: Spike Arrest Violation');
    return {
      status: 200,
      body: {
        ConversationID: `AG_${key}`,
        OriginatorConversationID: key,
        ResponseCode: '0',
        ResponseDescription: 'Accept',
      },
    };
  }

  const resultOf = ({ key, receipt, failed, amount, phone }: PaidOut) => ({
    Result: {
      ResultType: 0,
      ResultCode: failed ? 2001 : 0,
      ResultDesc: failed
        ? 'The initiator information is invalid.'
        : 'The service request is processed successfully.',
      OriginatorConversationID: key,
      ConversationID: `AG_${key}`,
      TransactionID: receipt,
      ...(failed
        ? {}
        : {
            ResultParameters: {
              ResultParameter: [
                { Key: 'TransactionAmount', Value: amount },
                { Key: 'TransactionReceipt', Value: receipt },
                { Key: 'ReceiverPartyPublicName', Value: `${phone} - ACHIENG OTIENO` },
                { Key: 'B2CUtilityAccountAvailableFunds', Value: 10_116.0 },
              ],
            },
          }),
    },
  });

  function status(body: Body): object {
    const payout = payouts.get(String(body['OriginatorConversationID']));
    due.push(() =>
      deliver(String(body['ResultURL']), {
        Result: {
          ResultType: 0,
          ResultCode: payout ? 0 : 2032,
          ResultDesc: payout ? 'ok' : 'The transaction does not exist.',
          OriginatorConversationID: 'of-the-question',
          ...(payout
            ? {
                ResultParameters: {
                  ResultParameter: [
                    { Key: 'TransactionStatus', Value: payout.failed ? 'Failed' : 'Completed' },
                    { Key: 'Amount', Value: payout.amount },
                    { Key: 'ReceiptNo', Value: payout.receipt },
                  ],
                },
              }
            : {}),
        },
      }),
    );
    return { OriginatorConversationID: 'of-the-question', ResponseCode: '0', ResponseDescription: 'Accept' };
  }

  function answer(path: string, body: Body): { status: number; body: object } | undefined {
    const done = (answered: object) => ({ status: 200, body: answered });
    switch (path) {
      case '/mpesa/c2b/v2/registerurl':
        registered.set(String(body['ShortCode']), {
          confirmation: String(body['ConfirmationURL']),
          validation: String(body['ValidationURL']),
        });
        if (memory !== undefined) writeFileSync(memory, JSON.stringify([...registered]));
        return done({ OriginatorCoversationID: 'c', ResponseCode: '0', ResponseDescription: 'Success' });
      case '/mpesa/stkpush/v1/processrequest':
        return done(push(body));
      case '/mpesa/stkpushquery/v1/query': {
        const end = stk.get(String(body['CheckoutRequestID']));
        return end
          ? done({ ResponseCode: '0', ResultCode: String(end.code), ResultDesc: end.text })
          : fail(500, '500.001.1001', 'The transaction is being processed');
      }
      case '/mpesa/b2c/v3/paymentrequest':
        return pay(body);
      case '/mpesa/transactionstatus/v1/query':
        return done(status(body));
      default:
        return fail(404, '404.001.01', 'Resource not found');
    }
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const send = (reply: { status: number; body: object }) =>
      response
        .writeHead(reply.status, { 'content-type': 'application/json' })
        .end(JSON.stringify(reply.body));
    const basic = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`;
    if (url.pathname === '/oauth/v1/generate')
      return void send(
        request.headers.authorization === basic
          ? { status: 200, body: { access_token: 'simulated', expires_in: '3599' } }
          : fail(400, '400.008.01', 'Invalid Authentication passed'),
      );
    if (request.headers.authorization !== 'Bearer simulated')
      return void send(fail(404, '404.001.03', 'Invalid Access Token'));
    const reply = answer(url.pathname, JSON.parse(Buffer.concat(chunks).toString('utf8')) as Body);
    if (reply) send(reply);
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get payouts() {
      return [...payouts.values()];
    },
    sends,
    registered,
    payBill,
    async tell() {
      const told = due;
      due = [];
      for (const each of told) await each();
      return told.length;
    },
    async stop() {
      const closed = new Promise((resolve) => {
        server.close(resolve);
      });
      server.closeAllConnections();
      await closed;
    },
  };
}

function fail(status: number, errorCode: string, errorMessage: string): { status: number; body: object } {
  return { status, body: { requestId: 'r', errorCode, errorMessage } };
}

interface Registration {
  readonly confirmation: string;
  readonly validation: string;
}

async function recall(file: string): Promise<[string, Registration][]> {
  const text = await readFile(file, 'utf8').catch(() => '[]');
  return JSON.parse(text) as [string, Registration][];
}

async function post(url: string, body: object): Promise<{ status: number; body: unknown }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json().catch(() => undefined) };
}
