// Packs the branch list of razorpay/ifsc (MIT, from RBI's NEFT and RTGS lists and NPCI's NACH list) for the server: node
// scripts/refresh-ifsc.mjs PATH/TO/IFSC.json. Only the JSON is used; its npm package contains an abandoned client.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { root } from './install.mjs';

const [source] = process.argv.slice(2);
const banks = JSON.parse(readFileSync(source, 'utf8'));
const lines = Object.keys(banks)
  .sort()
  .map((bank) => {
    // In the list, branch codes of digits only are numbers.
    const branches = banks[bank].map((branch) => String(branch).padStart(6, '0'));
    return bank + branches.sort().join('');
  });
writeFileSync(
  join(root, 'server/src/accounts/ifsc/branches.br'),
  brotliCompressSync(lines.join('\n'), { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } }),
);
