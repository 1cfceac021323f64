import type { Role } from '@sangam/contract/roles.ts';
import type { SignType } from '@sangam/contract/signature.ts';

/** The people and accounts of the demo world. Amounts in paise, rates in parts per million. */

export interface CastUser {
  readonly account: string;
  readonly nickname: string;
  readonly role: Role;
}

export const STAFF_CAST: readonly CastUser[] = [
  { account: 'superadmin', nickname: 'Meera Iyer', role: 'superAdmin' },
  { account: 'admin', nickname: 'Arjun Desai', role: 'admin' },
  { account: 'service', nickname: 'Kavya Nair', role: 'customerService' },
  { account: 'maintenance', nickname: 'Rohan Kulkarni', role: 'technicalMaintenance' },
  { account: 'support', nickname: 'Sana Qureshi', role: 'technicalSupport' },
];

export const KYC_SUBMITTER = 'service';
export const KYC_REVIEWER = 'admin';

export interface CastMerchant extends CastUser {
  readonly role: 'merchant';
  readonly signType: SignType;
  readonly transport: 'json' | 'form';
  /** The beginning of its order numbers. */
  readonly prefix: string;
  /** Where its past notifications were sent. */
  readonly notifyUrl: string;
  /** Its share of the orders. */
  readonly weight: number;
  /** Bank days until its credits are available. 0 when absent. */
  readonly settlementDays?: number;
}

export const MERCHANT_CAST: readonly CastMerchant[] = [
  {
    account: 'merchant1',
    nickname: 'Chowk Bazaar',
    role: 'merchant',
    signType: 'md5',
    transport: 'form',
    prefix: 'CB',
    notifyUrl: 'https://pay.chowkbazaar.example/notify',
    weight: 52,
  },
  {
    account: 'merchant2',
    nickname: 'Tamarind Learning',
    role: 'merchant',
    signType: 'hmac-sha256-v2',
    transport: 'json',
    prefix: 'TL',
    notifyUrl: 'https://api.tamarind.example/payments/notify',
    weight: 25,
  },
  {
    account: 'merchant3',
    nickname: 'Nila Travels',
    role: 'merchant',
    signType: 'hmac-sha256-v2',
    transport: 'json',
    prefix: 'NT',
    notifyUrl: 'https://book.nilatravels.example/sangam',
    weight: 15,
    settlementDays: 2,
  },
  {
    account: 'merchant4',
    nickname: 'Sona Jewels',
    role: 'merchant',
    signType: 'md5',
    transport: 'form',
    prefix: 'SJ',
    notifyUrl: 'https://shop.sonajewels.example/paid',
    weight: 8,
  },
];

export interface CastSupplier extends CastUser {
  readonly role: 'supplier';
  /** The account of the agent who brought it. */
  readonly agent?: string;
}

/** supplier1 is an agent, and supplier3 is its team. */
export const SUPPLIER_CAST: readonly CastSupplier[] = [
  { account: 'supplier1', nickname: 'Deccan Collections', role: 'supplier' },
  { account: 'supplier2', nickname: 'Konkan Receivables', role: 'supplier' },
  { account: 'supplier3', nickname: 'Malwa Traders', role: 'supplier', agent: 'supplier1' },
];

export interface CastTerms {
  readonly productId: number;
  readonly merchantPpm: number;
  readonly merchantFixedFee: bigint;
  readonly supplierPpm: number;
  readonly agentPpm: number;
  readonly minAmount: bigint;
  readonly maxAmount: bigint;
}

const RUPEE = 100n;

/** Terms for products without orders in the demo's history. */
export const RAIL_TERMS: readonly CastTerms[] = [
  {
    productId: 1030,
    merchantPpm: 21_000,
    merchantFixedFee: 0n,
    supplierPpm: 9_000,
    agentPpm: 500,
    minAmount: 100n * RUPEE,
    maxAmount: 200_000n * RUPEE,
  },
  {
    productId: 2012,
    merchantPpm: 9_000,
    merchantFixedFee: 6n * RUPEE,
    supplierPpm: 5_000,
    agentPpm: 500,
    minAmount: 100n * RUPEE,
    maxAmount: 100_000n * RUPEE,
  },
  ...[1045, 2045].map((productId) => ({
    productId,
    merchantPpm: 12_000,
    merchantFixedFee: 0n,
    supplierPpm: 6_000,
    agentPpm: 500,
    minAmount: 1_000_000n,
    maxAmount: 20_000_000_000n,
  })),
  ...[1060, 2060].map((productId) => ({
    productId,
    merchantPpm: 15_000,
    merchantFixedFee: 0n,
    supplierPpm: 7_000,
    agentPpm: 500,
    minAmount: 10n * RUPEE,
    maxAmount: 250_000n * RUPEE,
  })),
];

export const CAST_TERMS: readonly CastTerms[] = [
  {
    productId: 1010,
    merchantPpm: 28_000,
    merchantFixedFee: 0n,
    supplierPpm: 15_000,
    agentPpm: 2_000,
    minAmount: 100n * RUPEE,
    maxAmount: 50_000n * RUPEE,
  },
  {
    productId: 1001,
    merchantPpm: 32_000,
    merchantFixedFee: 0n,
    supplierPpm: 17_000,
    agentPpm: 2_000,
    minAmount: 500n * RUPEE,
    maxAmount: 100_000n * RUPEE,
  },
  {
    productId: 1012,
    merchantPpm: 22_000,
    merchantFixedFee: 2n * RUPEE,
    supplierPpm: 12_000,
    agentPpm: 1_500,
    minAmount: 500n * RUPEE,
    maxAmount: 200_000n * RUPEE,
  },
  {
    productId: 1021,
    merchantPpm: 26_000,
    merchantFixedFee: 0n,
    supplierPpm: 14_000,
    agentPpm: 2_000,
    minAmount: 100n * RUPEE,
    maxAmount: 50_000n * RUPEE,
  },
  {
    productId: 1023,
    merchantPpm: 26_000,
    merchantFixedFee: 0n,
    supplierPpm: 14_000,
    agentPpm: 2_000,
    minAmount: 100n * RUPEE,
    maxAmount: 50_000n * RUPEE,
  },
  {
    productId: 2001,
    merchantPpm: 9_000,
    merchantFixedFee: 6n * RUPEE,
    supplierPpm: 5_000,
    agentPpm: 500,
    minAmount: 200n * RUPEE,
    maxAmount: 200_000n * RUPEE,
  },
  {
    productId: 2010,
    merchantPpm: 8_000,
    merchantFixedFee: 4n * RUPEE,
    supplierPpm: 0,
    agentPpm: 0,
    minAmount: 200n * RUPEE,
    maxAmount: 200_000n * RUPEE,
  },
];

export interface CastAccount {
  readonly supplier: string;
  /** Accounts of the same monitor have the same number. */
  readonly monitor: number;
  readonly bank: keyof typeof BANKS;
  readonly ownerName: string;
  readonly accountNumber: string;
  /** The branch part of the IFSC. */
  readonly branch: string;
  readonly vpa: string;
  readonly products: readonly number[];
}

/** The code in the IFSC and one of the sender headers of each bank. */
export const BANKS = {
  HDFC: { code: 'HDFC', header: 'HDFCBK' },
  SBI: { code: 'SBIN', header: 'SBIUPI' },
  ICICI: { code: 'ICIC', header: 'ICICIB' },
  Axis: { code: 'UTIB', header: 'AXISBK' },
  PNB: { code: 'PUNB', header: 'PNBSMS' },
} as const;

export type CastBank = keyof typeof BANKS;

export const MONITOR_NAMES: readonly string[] = [
  'Redmi 13C, Hyderabad',
  'Galaxy M14, Secunderabad',
  'Moto G34, Panaji',
  'Galaxy A15, Ratnagiri',
  'Redmi 12, Indore',
];

const ALL_WALLETS = [1010, 1021, 1023];

export const ACCOUNT_CAST: readonly CastAccount[] = [
  {
    supplier: 'supplier1',
    monitor: 0,
    bank: 'HDFC',
    ownerName: 'Deccan Collections LLP',
    accountNumber: '50200041273816',
    branch: '000521',
    vpa: 'deccan.collections@hdfcbank',
    products: [1001, 1010, 1012],
  },
  {
    supplier: 'supplier1',
    monitor: 0,
    bank: 'SBI',
    ownerName: 'Deccan Collections LLP',
    accountNumber: '39874410527',
    branch: '011744',
    vpa: 'deccan.coll@sbi',
    products: [1001, 1010, 1012, 1021],
  },
  {
    supplier: 'supplier1',
    monitor: 1,
    bank: 'ICICI',
    ownerName: 'Vasanth Reddy',
    accountNumber: '004805009342',
    branch: '000048',
    vpa: 'vasanth.reddy42@okicici',
    products: ALL_WALLETS,
  },
  {
    supplier: 'supplier1',
    monitor: 1,
    bank: 'Axis',
    ownerName: 'Vasanth Reddy',
    accountNumber: '919010073625814',
    branch: '000427',
    vpa: 'vreddy.pay@okaxis',
    products: [1001, 1010, 1012, 1023],
  },
  {
    supplier: 'supplier2',
    monitor: 2,
    bank: 'PNB',
    ownerName: 'Konkan Receivables',
    accountNumber: '0742002100031905',
    branch: '074200',
    vpa: 'konkan.receivables@pnb',
    products: [1010, 1012],
  },
  {
    supplier: 'supplier2',
    monitor: 2,
    bank: 'HDFC',
    ownerName: 'Konkan Receivables',
    accountNumber: '50100318846027',
    branch: '001296',
    vpa: 'konkan.rec@hdfcbank',
    products: [1001, 1010, 1012, 1021],
  },
  {
    supplier: 'supplier2',
    monitor: 3,
    bank: 'SBI',
    ownerName: 'Leela Sawant',
    accountNumber: '20417733958',
    branch: '008586',
    vpa: 'leela.sawant@oksbi',
    products: ALL_WALLETS,
  },
  {
    supplier: 'supplier2',
    monitor: 3,
    bank: 'Axis',
    ownerName: 'Leela Sawant',
    accountNumber: '921010046183277',
    branch: '001159',
    vpa: 'leela.s@axisbank',
    products: [1001, 1010, 1012],
  },
  {
    supplier: 'supplier3',
    monitor: 4,
    bank: 'ICICI',
    ownerName: 'Malwa Traders',
    accountNumber: '104405001168',
    branch: '001044',
    vpa: 'malwa.traders@icici',
    products: [1001, 1010, 1012, 1023],
  },
  {
    supplier: 'supplier3',
    monitor: 4,
    bank: 'PNB',
    ownerName: 'Malwa Traders',
    accountNumber: '1203002100046571',
    branch: '120300',
    vpa: 'malwa.traders@pnb',
    products: [1010, 1012, 1021],
  },
];

const tailOf = ({ accountNumber }: CastAccount) => accountNumber.slice(-4);

/** `count` receiving accounts: first the cast's own, then others at the same banks and suppliers. */
export function receivingCast(count: number = ACCOUNT_CAST.length): CastAccount[] {
  // Messages name an account by its last four digits, so no two accounts have the same.
  const taken = new Set(ACCOUNT_CAST.map(tailOf));
  const tails = Array.from({ length: 10_000 }, (_, tail) => String(tail).padStart(4, '0'))
    .filter((tail) => !taken.has(tail))
    .values();
  return Array.from({ length: count }, (_, index) => {
    const cast = ACCOUNT_CAST[index % ACCOUNT_CAST.length]!;
    const copy = Math.floor(index / ACCOUNT_CAST.length);
    if (copy === 0) return cast;
    return {
      ...cast,
      accountNumber: cast.accountNumber.slice(0, -4) + tails.next().value!,
      vpa: cast.vpa.replace('@', `${copy}@`),
    };
  });
}
