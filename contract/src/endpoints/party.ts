import { z } from 'zod';
import { ACCOUNT_AREA_NAMES, ACCOUNT_KINDS, MPESA_TYPES } from '../account-kinds.ts';
import { CHANNELS } from '../products.ts';
import { endpoint } from '../endpoint.ts';
import {
  currency,
  filter,
  id,
  idFilter,
  intFilter,
  listOf,
  minor,
  paging,
  textFilter,
  time,
  timeFilter,
} from '../fields.ts';
import { accountHours } from './account.ts';
import { verdict } from './story.ts';
import { SIGN_TYPES } from '../sign-types.ts';

const balance = z.object({ currency, bucket: z.string(), balance: minor });

/** A frozen party takes part in nothing new; a legal hold freezes too. */
const holds = { frozen: z.boolean(), legalHold: z.boolean() };

const productTerms = z.object({
  productId: z.int(),
  productName: z.string(),
  enabled: z.boolean(),
  /** Parts per million of the amount. */
  ratePpm: z.int(),
  fixedFee: minor,
  minAmount: minor,
  maxAmount: minor,
});

export const getMerchantList = endpoint({
  method: 'GET',
  path: '/v1.0/merchant/getList',
  summary: 'Merchants with products, balances and KYC state',
  access: ['superAdmin', 'admin', 'customerService', 'technicalMaintenance'],
  input: z.object({ ...paging, id: idFilter, name: textFilter, enabled: intFilter }),
  output: listOf(
    z.object({
      id,
      name: z.string(),
      account: z.string(),
      enabled: z.boolean(),
      signType: z.enum(SIGN_TYPES),
      /** Whether its MD5 signature may also cancel orders. */
      cancelByMd5: z.boolean(),
      /** Null: the platform's CallbackType. */
      callbackTransport: z.enum(['json', 'form', 'query']).nullable(),
      ...holds,
      /** Business days until its credits become available; 0 = at once. */
      settlementDays: z.int(),
      /** Whether its callbacks wait until they are resumed, and the seconds before each attempt (null: the usual schedule). */
      callbacksPaused: z.boolean(),
      callbackWaits: z.array(z.int()).nullable(),
      /** Until when the previous secret still signs. */
      previousSecretUntil: time.nullable(),
      kyc: z.enum(['none', 'pending', 'approved', 'rejected', 'expired']),
      createTime: time,
      todayOrders: z.int(),
      todayPaid: z.int(),
      products: z.array(productTerms),
      balances: z.array(balance),
    }),
  ),
});

export const getSupplierList = endpoint({
  method: 'GET',
  path: '/v1.0/supplier/getList',
  summary: 'Suppliers with agent, deposit, accounts and KYC state',
  access: ['superAdmin', 'admin', 'technicalSupport', 'customerService', 'technicalMaintenance'],
  input: z.object({ ...paging, id: idFilter, name: textFilter, enabled: intFilter }),
  output: listOf(
    z.object({
      id,
      name: z.string(),
      account: z.string(),
      enabled: z.boolean(),
      agentId: id.nullable(),
      agentName: z.string().nullable(),
      relatedMerchantId: id.nullable(),
      openClaimsMax: z.int(),
      ...holds,
      isAgent: z.boolean(),
      kyc: z.enum(['none', 'pending', 'approved', 'rejected', 'expired']),
      createTime: time,
      accountCount: z.int(),
      enabledAccountCount: z.int(),
      todayOrders: z.int(),
      todayPaid: z.int(),
      products: z.array(productTerms),
      balances: z.array(balance),
    }),
  ),
});

const option = z.object({ id, name: z.string() });

export const getOptions = endpoint({
  method: 'GET',
  path: '/v1.0/user/getFilterOptions',
  summary: 'Choices of the list filters: merchants, suppliers and products the viewer may see',
  access: 'anyUser',
  input: z.object({}),
  output: z.object({
    merchants: z.array(option),
    suppliers: z.array(option),
    products: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        direction: z.enum(['in', 'out']),
        currency,
        channel: z.enum(CHANNELS),
      }),
    ),
  }),
});

const accountRow = z.object({
  id,
  supplierId: id,
  supplierName: z.string(),
  products: z.array(
    z.object({
      productId: z.int(),
      productName: z.string(),
      /** 0 = enabled. */
      state: z.literal([0, 1]),
      minAmount: minor,
      maxAmount: minor,
      weight: z.int(),
    }),
  ),
  bank: z.string(),
  ownerName: z.string(),
  /** Masked for everybody but the owner: `**** 1234`. */
  accountNumber: z.string(),
  direction: z.enum(['in', 'out']),
  kind: z.enum(ACCOUNT_KINDS),
  mpesaType: z.enum(MPESA_TYPES).nullable(),
  ifsc: z.string().nullable(),
  vpa: z.string().nullable(),
  country: z.string(),
  purpose: z.string(),
  hours: accountHours.nullable(),
  /** Closed by its opening hours now. */
  outsideHours: z.boolean(),
  /** How many merchants and payers are on its whitelists; null = no list, open to everybody. */
  merchantWhitelistCount: z.int().nullable(),
  payerWhitelistCount: z.int().nullable(),
  hasPicture: z.boolean(),
  credentialsSet: z.boolean(),
  /** Proof of ownership. */
  kyc: z.enum(['none', 'pending', 'approved', 'rejected', 'expired']),
  maxWaiting: z.int(),
  ...holds,
  monitorId: id.nullable(),
  monitorOnline: z.boolean(),
  lastSeenTime: time.nullable(),
  /** Why the last look at the account's rail failed, in the words of the log; null: it went well, or the viewer is no staff. */
  watchProblem: z.string().nullable(),
  currency,
  dailyCountLimit: z.int().nullable(),
  dailyAmountLimit: minor.nullable(),
  todayCount: z.int(),
  todayAmount: minor,
  processingOrderCount: z.int(),
  processingOrderAmount: minor,
  /** The daily limit it has reached; under LimitMode 'warn' it still takes orders. Null = none reached, or no limit. */
  limitReached: z.enum(['dailyCountReached', 'dailyAmountReached']).nullable(),
  /** Orders of the account, all products: allocated and paid, by day of allocation. */
  health: z.object({
    todayAllocated: z.int(),
    todayPaid: z.int(),
    weekAllocated: z.int(),
    weekPaid: z.int(),
    /** Median over its last payments of the week. */
    secondsToPay: z.int().nullable(),
    lastMessageTime: time.nullable(),
  }),
  mayToggle: z.boolean(),
  mayEdit: z.boolean(),
});

export const getResourceList = endpoint({
  method: 'GET',
  path: '/v1.0/resource/getList',
  summary: 'Receiving and payout accounts the viewer may see, a row each with all its products',
  access: ['superAdmin', 'admin', 'customerService', 'technicalMaintenance', 'supplier'],
  input: z.object({
    ...paging,
    /** Accounts of one screen. */
    area: filter(z.enum(ACCOUNT_AREA_NAMES)),
    direction: filter(z.enum(['in', 'out'])),
    kyc: filter(z.enum(['none', 'pending', 'approved', 'rejected', 'expired'])),
    supplierId: idFilter,
    /** Together with `state`: finds accounts with one product that fits both. */
    productId: intFilter,
    state: intFilter,
    bank: textFilter,
    account: textFilter,
    online: filter(z.enum(['true', 'false'])),
  }),
  output: listOf(accountRow),
});

const resourceKey = z.object({ resourceId: id, productId: z.coerce.number().int() });

export const getResourceDetailInfo = endpoint({
  method: 'GET',
  path: '/v1.0/resource/getResourceDetailInfo',
  summary: 'One receiving account with its QR image',
  access: ['superAdmin', 'admin', 'customerService', 'technicalMaintenance', 'supplier'],
  input: resourceKey,
  output: z.object({
    id,
    productId: z.int(),
    supplierName: z.string(),
    productName: z.string(),
    state: z.literal([0, 1]),
    /** Masked for everybody but the owner of the account, like the QR code. */
    link: z.string().nullable(),
    jumpLink: z.string().nullable(),
    /** data: address of the picture that payers see, or of a QR code of the masked link. */
    qrCode: z.string(),
    masked: z.boolean(),
    processingOrderCount: z.int(),
    processingOrderAmount: minor,
    currency,
  }),
});

export const getResourceStaticInfo = endpoint({
  method: 'GET',
  path: '/v1.0/resource/getResourceStaticInfo',
  summary: "Counts of a supplier's receiving accounts for a product",
  access: ['superAdmin', 'admin', 'customerService', 'technicalMaintenance', 'supplier'],
  input: z.object({ supplierId: idFilter, productId: intFilter }),
  output: z.object({
    total: z.int(),
    enabled: z.int(),
    online: z.int(),
    processingOrderCount: z.int(),
    processingOrderAmount: minor,
  }),
});

export const enableResource = endpoint({
  method: 'POST',
  path: '/v1.0/resource/enableResource',
  summary: 'Open or close a receiving account for one product',
  access: ['superAdmin', 'admin', 'customerService', 'supplier'],
  duty: 'accounts',
  input: resourceKey.extend({ enable: z.boolean() }),
  output: z.object({ state: z.literal([0, 1]) }),
});

const bankMessages = {
  method: 'GET',
  input: z.object({
    ...paging,
    supplierId: idFilter,
    resourceId: idFilter,
    monitorId: idFilter,
    state: textFilter,
    direction: filter(z.enum(['credit', 'debit'])),
    bank: textFilter,
    utr: textFilter,
    orderCode: textFilter,
    amount: filter(z.coerce.number()),
    startTime: timeFilter,
    endTime: timeFilter,
  }),
  output: listOf(
    z.object({
      id,
      monitorId: id,
      resourceId: id.nullable(),
      accountName: z.string().nullable(),
      supplierName: z.string().nullable(),
      bank: z.string().nullable(),
      sender: z.string(),
      text: z.string(),
      direction: z.enum(['credit', 'debit']).nullable(),
      currency: currency.nullable(),
      amount: minor.nullable(),
      balance: minor.nullable(),
      utr: z.string().nullable(),
      payer: z.string().nullable(),
      state: z.string(),
      reason: z.string().nullable(),
      ...verdict,
      orderCode: z.string().nullable(),
      bankTime: time.nullable(),
      receivedTime: time,
      reportedTime: time,
    }),
  ),
} as const;

export const getBankStatementList = endpoint({
  ...bankMessages,
  path: '/v1.0/bankStatement/getList',
  summary: 'Bank messages the viewer may see, newest first',
  access: ['superAdmin', 'admin', 'supplier'],
});

export const getWebMessageList = endpoint({
  ...bankMessages,
  path: '/v1.0/webMessage/getList',
  summary: 'Web messages (net-banking lines and pushes), newest first',
  access: ['superAdmin', 'admin', 'customerService', 'technicalMaintenance'],
});

export const getFundRecordList = endpoint({
  method: 'GET',
  path: '/v1.0/fundRecord/getList',
  summary: 'Ledger entries of the balances the viewer may see, newest first',
  access: ['superAdmin', 'admin', 'customerService', 'technicalMaintenance', 'supplier', 'merchant'],
  input: z.object({
    ...paging,
    ownerKind: filter(z.enum(['merchant', 'supplier', 'platform'])),
    ownerId: idFilter,
    currency: filter(currency),
    bucket: textFilter,
    postingKind: textFilter,
    orderCode: textFilter,
    startTime: timeFilter,
    endTime: timeFilter,
  }),
  output: listOf(
    z.object({
      id,
      postingId: id,
      postingKind: z.string(),
      orderCode: z.string().nullable(),
      ownerKind: z.string(),
      ownerId: id.nullable(),
      ownerName: z.string(),
      bucket: z.string(),
      currency,
      amount: minor,
      /** Null for balances kept in parts: the platform's, and pending settlement. */
      balanceAfter: minor.nullable(),
      reason: z.string().nullable(),
      time,
    }),
  ),
});
