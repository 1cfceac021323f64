import { expect, test } from 'vitest';
import { invoiceFile } from './invoice-file.ts';

const words = {
  language: 'en-US',
  title: 'Invoice',
  issuer: 'Issued by',
  to: 'To',
  month: 'Month',
  issueTime: 'Issued',
  product: 'Product',
  fee: 'Fee',
  taxPercent: 'Tax rate',
  tax: 'Tax',
  net: 'Without tax',
  total: 'Total',
  label: ({ productName }: { readonly productName: string }) => productName,
};

test('an invoice is a page with lines and sums, and names in it are escaped', () => {
  const page = invoiceFile(
    {
      id: '1',
      number: '2026-27/000001',
      month: '2026-11-01',
      merchantId: '10001',
      merchantName: '<b>Chowk & Sons',
      issuer: 'Sangam Ltd\nKochi',
      currency: 'INR',
      fee: 1_180_00,
      tax: 180_00,
      issueTime: '2026-12-01 02:00:00',
      lines: [
        {
          month: '2026-11-01',
          direction: 'in',
          productId: 1010,
          productName: 'UPI',
          taxPercent: 18,
          fee: 1_180_00,
          tax: 180_00,
        },
      ],
    },
    words,
  );
  expect(page).toContain('<h1>Invoice 2026-27/000001</h1>');
  expect(page).toContain('&#60;b&#62;Chowk &#38; Sons (10001)');
  expect(page).toContain('Sangam Ltd<br>Kochi');
  expect(page).toContain('<td>₹1,000.00</td><td>₹180.00</td><td>₹1,180.00</td>');
});
