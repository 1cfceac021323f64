import type { TemplateFormat } from '@sangam/contract/payout-templates.ts';

/*
 * Bulk payout files as the banks take them. Columns and result formats are from public descriptions. A bank may change its file at any time
 * and agrees details with each client: then somebody makes a new version, or another template, in the console.
 */

const BANK_PAYOUT = 2001;
const UPI_PAYOUT = 2012;
/** The smallest amount of an RTGS transfer. */
const RTGS_FROM = 2_00_000_00;
const IMPS_TO = 5_00_000_00;

type Column = TemplateFormat['columns'][number];
type Mode = TemplateFormat['modes'][number];

const column = (name: string, value = '', max?: number): Column =>
  max === undefined ? { name, value } : { name, value, max };
const columns = (table: Readonly<Record<string, string>>): Column[] =>
  Object.entries(table).map(([name, value]) => column(name, value));
const numbered = (name: string, from: number, to: number): Column[] =>
  Array.from({ length: to - from + 1 }, (_, index) => column(`${name}${from + index}`));

/** A transfer within the bank if the payee's account is there, else RTGS from its smallest amount on, else NEFT. */
const modes = (inside: string, rtgs: string, neft: string): Mode[] => [
  { code: inside, bank: 'same', payee: 'account' },
  { code: rtgs, bank: 'any', payee: 'account', from: RTGS_FROM },
  { code: neft, bank: 'any', payee: 'account' },
];

const icici: TemplateFormat = {
  bank: 'ICIC',
  products: [BANK_PAYOUT],
  parameters: { productType: 'PAB_VENDOR' },
  fileName: 'ICICI_{{payDate:ddMMyyyy}}_{{serial:3}}.csv',
  leadRows: [],
  header: true,
  lineEnd: 'crlf',
  opened: true,
  modes: modes('FT', 'RTGS', 'NEFT'),
  columns: [
    ...columns({
      PYMT_PROD_TYPE_CODE: '{{productType}}',
      PYMT_MODE: '{{mode}}',
      DEBIT_ACC_NO: '{{debitAccount}}',
      BNF_NAME: '{{payeeName}}',
      BENE_ACC_NO: '{{payeeAccount}}',
      BENE_IFSC: '{{payeeIfsc}}',
      AMOUNT: '{{amount}}',
      DEBIT_NARR: '{{reference}}',
      CREDIT_NARR: '{{reference}}',
      MOBILE_NUM: '',
      EMAIL_ID: '',
      REMARK: '{{reference}}',
      PYMT_DATE: '{{payDate:dd-MM-yyyy}}',
      REF_NO: '{{reference}}',
    }),
    ...numbered('ADDL_INFO', 1, 5),
  ],
  result: {
    fileTypes: ['csv'],
    leadRows: 1,
    join: 'reference',
    reference: 'Reference_no',
    amount: 'Amount',
    status: 'STATUS',
    utr: 'UTR NO',
    reason: 'Rejection Reason',
    words: {
      completed: ['Success', 'Paid'],
      failed: ['Rejected'],
      reversed: ['Reversed'],
      inProgress: ['Processing', 'In Progress'],
    },
  },
};

const HDFC_COLUMNS: Column[] = [
  column('Transaction Type', '{{mode}}'),
  column('Beneficiary Code'),
  column('Bene Account Number', '{{payeeAccount}}'),
  column('Amount', '{{amount}}'),
  column('Bene Name', '{{payeeName}}', 40),
  column('Drawee Location'),
  column('DD Printing Location'),
  ...numbered('Bene Address ', 1, 5),
  column('Instruction Reference Number'),
  column('Customer Reference Number', '{{reference}}'),
  ...numbered('Payment details ', 1, 7),
  column('Cheque Number'),
  column('Transaction Date', '{{payDate:dd/MM/yyyy}}'),
  column('MICR Number'),
  column('IFSC Code', '{{payeeIfsc}}'),
  column('Bene Bank Name', '{{payeeBank}}', 40),
  column('Bene Bank Branch Name'),
  column('Beneficiary Email Id'),
];
const hdfcPlace = (name: string) => HDFC_COLUMNS.findIndex((each) => each.name === name) + 1;

const hdfc: TemplateFormat = {
  bank: 'HDFC',
  products: [BANK_PAYOUT],
  parameters: { clientCode: '' },
  fileName: '{{clientCode}}{{payDate:ddMM}}.{{serial:3}}',
  leadRows: [],
  header: false,
  lineEnd: 'crlf',
  opened: false,
  modes: modes('I', 'R', 'N'),
  columns: HDFC_COLUMNS,
  // The columns of the upload, then the posting date, the bank's reference, E or R, and the reason.
  result: {
    fileTypes: ['r###', 'csv'],
    leadRows: 0,
    join: 'reference',
    reference: hdfcPlace('Customer Reference Number'),
    amount: hdfcPlace('Amount'),
    utr: HDFC_COLUMNS.length + 2,
    status: HDFC_COLUMNS.length + 3,
    reason: HDFC_COLUMNS.length + 4,
    words: { completed: ['E'], failed: ['R'] },
  },
};

const axis: TemplateFormat = {
  bank: 'UTIB',
  products: [BANK_PAYOUT],
  parameters: {},
  fileName: 'AXIS_{{payDate:yyyyMMdd}}_{{serial:3}}.csv',
  leadRows: [],
  header: true,
  lineEnd: 'crlf',
  opened: true,
  modes: modes('IFT', 'RTGS', 'NEFT'),
  columns: [
    ...columns({
      'Debit Account Number': '{{debitAccount}}',
      'Transaction Amount': '{{amount}}',
      'Transaction Currency': '{{currency}}',
      'Beneficiary Name': '{{payeeName}}',
      'Beneficiary Account Number': '{{payeeAccount}}',
      'Beneficiary IFSC Code': '{{payeeIfsc}}',
      'Transaction Date': '{{payDate:dd/MM/yyyy}}',
      'Payment Mode': '{{mode}}',
      'Customer Reference Number': '{{reference}}',
      'Beneficiary Nickname/Code': '{{reference}}',
      'Bank Account Type': '',
      'Debit Narration': '{{reference}}',
      'Credit Narration': '{{reference}}',
    }),
    ...numbered('Beneficiary Address ', 1, 3),
    ...columns({ City: '', State: '', 'Pin Code': '', 'Beneficiary Bank Name': '{{payeeBank}}' }),
    ...numbered('Email Id ', 1, 2),
    column('Mobile Number'),
    ...numbered('Add Info ', 1, 6),
  ],
  result: null,
};

const idfc: TemplateFormat = {
  bank: 'IDFB',
  products: [BANK_PAYOUT],
  parameters: {},
  fileName: 'BLKPAY_{{payDate:yyyyMMdd}}_{{serial:3}}.csv',
  leadRows: [],
  header: true,
  lineEnd: 'crlf',
  opened: true,
  modes: modes('IFT', 'RTGS', 'NEFT'),
  columns: [
    column('Beneficiary Name', '{{payeeName}}'),
    column('Beneficiary Account Number', '{{payeeAccount}}'),
    column('IFSC', '{{payeeIfsc}}'),
    column('Transaction Type', '{{mode}}'),
    column('Debit Account Number', '{{debitAccount}}'),
    column('Transaction Date', '{{payDate:dd/MM/yyyy}}'),
    column('Amount', '{{amount}}'),
    column('Currency', '{{currency}}'),
    column('Beneficiary Email ID'),
    column('Remarks', '{{reference}}', 30),
    column('Custom Header - 1', '{{reference}}'),
    ...numbered('Custom Header - ', 2, 5),
  ],
  // The report names the bank's reference of a transfer, not its end: the payout is in progress until its debit comes.
  result: {
    fileTypes: ['csv'],
    leadRows: 1,
    join: 'reference',
    reference: 'Custom Header - 1',
    amount: 'Amount',
    utr: 'Reference Number',
    words: {},
  },
};

const union: TemplateFormat = {
  bank: 'UBIN',
  products: [BANK_PAYOUT],
  parameters: { corpId: '' },
  fileName: '{{corpId}}_{{payDate:ddMMyyyy}}_{{serial:3}}.txt',
  leadRows: [['FILEHDR', '{{corpId}}', '{{serial}}', 'N', 'PAYOUT']],
  header: false,
  lineEnd: 'crlf',
  opened: false,
  modes: [
    { code: 'RTGS', bank: 'any', payee: 'account', from: RTGS_FROM },
    { code: 'NEFT', bank: 'any', payee: 'account' },
  ],
  columns: [
    column('Type', '{{mode}}'),
    column('Payer IFSC', '{{debitIfsc}}'),
    column('Debit Account', '{{debitAccount}}'),
    column('Receiver IFSC', '{{payeeIfsc}}'),
    column('Receiver Account', '{{payeeAccount}}'),
    column('Currency', '{{currency}}'),
    column('Amount', '{{amount}}'),
    column('Remarks', '{{reference}}', 140),
    column('Receiver Name', '{{payeeName}}', 40),
    column('Receiver Email'),
    column('Reference', '{{reference}}', 20),
  ],
  result: null,
};

const razorpayX: TemplateFormat = {
  bank: '',
  products: [BANK_PAYOUT, UPI_PAYOUT],
  parameters: { purpose: 'payout', contactType: 'customer' },
  fileName: 'razorpayx_{{payDate:yyyyMMdd}}_{{serial:3}}.csv',
  leadRows: [],
  header: true,
  lineEnd: 'lf',
  opened: true,
  modes: [
    { code: 'UPI', bank: 'any', payee: 'vpa' },
    { code: 'IMPS', bank: 'any', payee: 'account', to: IMPS_TO },
    { code: 'RTGS', bank: 'any', payee: 'account' },
  ],
  columns: columns({
    'RazorpayX Account Number': '{{debitAccount}}',
    'Payout Amount (in Rupees)': '{{amount}}',
    'Payout Currency': '{{currency}}',
    'Payout Mode': '{{mode}}',
    'Payout Purpose': '{{purpose}}',
    'Payout Narration': '{{reference}}',
    'Payout Reference Id': '{{reference}}',
    'Fund Account Id': '',
    'Fund Account Type': '{{payeeKind}}',
    'Fund Account Name': '{{payeeName}}',
    'Fund Account Ifsc': '{{payeeIfsc}}',
    'Fund Account Number': '{{payeeAccount}}',
    'Fund Account Vpa': '{{payeeVpa}}',
    'Contact Type': '{{contactType}}',
    'Contact Name': '{{payeeName}}',
    'Contact Email': '',
    'Contact Mobile': '',
    'Contact Reference Id': '',
  }),
  // The report says which payouts the bank accepted (Payout Id) and which not (Error Description), but not how they ended.
  result: {
    fileTypes: ['csv'],
    leadRows: 1,
    join: 'reference',
    reference: 'Payout Reference Id',
    amount: 'Payout Amount (in Rupees)',
    reason: 'Error Description',
    words: {},
  },
};

/** The templates of a new installation. Those of HDFC and Union Bank can be used once the client's own code is filled in. */
export const DEFAULT_TEMPLATES: readonly { readonly name: string; readonly format: TemplateFormat }[] = [
  { name: 'ICICI CIB', format: icici },
  { name: 'HDFC ENet', format: hdfc },
  { name: 'Axis Bank', format: axis },
  { name: 'IDFC FIRST BLKPAY', format: idfc },
  { name: 'Union Bank', format: union },
  { name: 'RazorpayX bulk', format: razorpayX },
];
