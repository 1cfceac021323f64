import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { currency, filter, id, listOf, minor, paging, time } from '../fields.ts';
import { GATEWAY_PROVIDERS } from '../gateways.ts';

/** Webhooks of payout gateways, and the screen of the gateways' setup. */

export const gatewayWebhook = endpoint({
  method: 'POST',
  path: '/v1.0/gateway/:account/webhook',
  summary: "A gateway's own event about a payout, signed by the secret of its account",
  access: 'webhook',
  input: z.object({ account: id }),
  output: z.object({ status: z.string() }),
});

const notice = (method: 'GET' | 'POST') =>
  endpoint({
    method,
    path: '/v1.0/gateway/script/:account/:mark',
    summary:
      "What a pay script's gateway tells by itself: the account's script reads it, and says what it is answered",
    access: 'webhook',
    input: z.object({ account: id, mark: z.string().regex(/^[0-9a-f]{32}$/) }),
    output: z.object({ status: z.string() }),
  });
export const scriptNotice = notice('POST');
/** Some gateways send their webhook as the query of a GET. */
export const scriptNoticeByGet = notice('GET');

const provider = z.enum(GATEWAY_PROVIDERS);

export const gatewayRow = z.object({
  id,
  provider,
  bank: z.string(),
  accountNumber: z.string(),
  supplierId: id,
  supplierName: z.string(),
  /** 0: open for payouts. */
  state: z.int(),
  credentialsSet: z.boolean(),
  credentialsTime: time.nullable(),
  /** The address to enter at the gateway. */
  webhookUrl: z.string(),
  /** Events of the last day, and the time of the last event, however old. */
  eventsToday: z.int(),
  lastEventTime: time.nullable(),
  /** Payouts of this account that have not ended, and those that are to be confirmed. */
  payoutsOpen: z.int(),
  payoutsUnknown: z.int(),
  currency,
  /** The money at the gateway, and when it said so. Null: it was not told. */
  balance: minor.nullable(),
  balanceTime: time.nullable(),
});

export const getGateways = endpoint({
  method: 'GET',
  path: '/v1.0/payGateway/getList',
  summary: 'Payout gateways: whose API, whether its keys are set, what they reported, what is under way',
  access: ['superAdmin', 'technicalMaintenance'],
  input: z.object({ ...paging, provider: filter(provider) }),
  output: listOf(gatewayRow),
});
