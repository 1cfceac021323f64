/**
 * Every code an answer can carry. `http` is the status of console calls; the merchant API answers 200 for
 * business refusals. The text of each code lives in locales/*.json under `codes`.
 */
export const CODES = {
  ok: { code: 200, http: 200 },
  invalidInput: { code: 400, http: 400 },
  forbidden: { code: 403, http: 403 },
  notFound: { code: 404, http: 404 },
  conflict: { code: 409, http: 409 },
  tooMany: { code: 429, http: 429 },
  internal: { code: 500, http: 500 },
  wrongPassword: { code: 1001, http: 401 },
  wrongGoogleCode: { code: 1002, http: 401 },
  sessionExpired: { code: 1003, http: 401 },
  lockedOut: { code: 1005, http: 423 },
  mustBind: { code: 1006, http: 403 },
  secondPasswordNeeded: { code: 1024, http: 403 },
  secondPasswordWrong: { code: 1025, http: 403 },
  serviceSuspended: { code: 1101, http: 503 },
  wrongSignature: { code: 1102, http: 401 },
  orderNumberReused: { code: 1103, http: 409 },
  amountOutsideLimits: { code: 1104, http: 422 },
  noAccountAvailable: { code: 1105, http: 503 },
  productNotEnabled: { code: 1106, http: 422 },
  ipNotAllowed: { code: 1107, http: 403 },
  nameBlacklisted: { code: 1108, http: 422 },
  dailyLimitReached: { code: 1109, http: 422 },
  actionNotAllowed: { code: 1201, http: 409 },
  claimedByAnother: { code: 1202, http: 409 },
  balanceInsufficient: { code: 1203, http: 409 },
  utrUsed: { code: 1204, http: 409 },
  approvalNeeded: { code: 1205, http: 202 },
  signerSilent: { code: 1206, http: 503 },
  releaseCodeWrong: { code: 1207, http: 409 },
  tooManyOrders: { code: 1301, http: 422 },
  wrongFileType: { code: 1302, http: 422 },
  fileNotUnderstood: { code: 1303, http: 422 },
  resultNotReadable: { code: 1304, http: 422 },
} as const;

export type CodeName = keyof typeof CODES;
