import { SECOND } from '../platform/clock.ts';

/** Messages of gateways and M-Pesa in their own wire format, about orders that do not exist here. Raw material for damaged messages. */

/** Events of payouts, at a moment in ms since 1970. */
export const gatewayWords = (now: number) =>
  [
    [
      'razorpayx',
      {
        entity: 'event',
        event: 'payout.processed',
        created_at: Math.floor(now / SECOND),
        payload: {
          payout: {
            entity: { id: 'pout_1', status: 'processed', amount: 100, utr: 'U1', reference_id: '9-1' },
          },
        },
      },
    ],
    [
      'cashfree',
      {
        type: 'TRANSFER_SUCCESS',
        event_time: '2026-11-16 12:00:00',
        data: {
          transfer_id: '9_1',
          cf_transfer_id: 'c1',
          status: 'SUCCESS',
          transfer_amount: '1.00',
          transfer_utr: 'U1',
        },
      },
    ],
  ] as const;

/** C2B payments, the result of a request to a phone, the result of a payout. */
export const MPESA_WORDS: readonly unknown[] = [
  {
    TransactionType: 'Pay Bill',
    TransID: 'TKH1A2B3C4',
    TransTime: '20261116093000',
    TransAmount: '100.00',
    BusinessShortCode: '600100',
    BillRefNumber: 'A1B2C3',
    OrgAccountBalance: '1000.00',
    MSISDN: '254700000001',
    FirstName: 'A',
  },
  {
    Body: {
      stkCallback: {
        MerchantRequestID: '1',
        CheckoutRequestID: 'ws_1',
        ResultCode: 0,
        ResultDesc: 'ok',
        CallbackMetadata: {
          Item: [
            { Name: 'Amount', Value: 1 },
            { Name: 'MpesaReceiptNumber', Value: 'TKH1A2B3C5' },
          ],
        },
      },
    },
  },
  {
    Result: {
      ResultType: 0,
      ResultCode: 0,
      ResultDesc: 'ok',
      ConversationID: 'c',
      OriginatorConversationID: 'o',
      TransactionID: 'TKH1A2B3C6',
      ResultParameters: { ResultParameter: [{ Key: 'TransactionAmount', Value: 10 }] },
    },
  },
];
