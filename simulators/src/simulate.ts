import { parseArgs } from 'node:util';
import { describe } from './aftermath.ts';
import { readDemo } from './demo-file.ts';
import { loopbackUrl } from './loopback.ts';
import { run } from './run.ts';
import { openServices } from './services.ts';
import { isExplained, printStatement } from './statement.ts';
import { takeTurn } from './turns.ts';

const USAGE = `npm run simulate -- [options]: merchants, payers, banks and their SMS, suppliers and the desk against a running demo.
  --orders N     orders to create (200; with --duration: rate times duration)
  --payouts N    payouts to create, claim and pay (a fifth of the orders)
  --seed N       seed of everything that is left to chance (7)
  --rate N       orders a second, on average (10)
  --duration S   create for so many seconds
  --mischief M   0 (everybody behaves) to 1; 0.5
  --data DIR     data folder of the demo (DATA_DIR or ./data)
  --url URL      node to call, instead of demo.json's; may be repeated
  --grace S      longest wait for callbacks at the end (180)
Only 127.0.0.1 is ever called. Ends with 1 when anything in the statement is unexplained.`;

function readOptions() {
  const { values } = parseArgs({
    options: {
      orders: { type: 'string' },
      payouts: { type: 'string' },
      seed: { type: 'string', default: '7' },
      rate: { type: 'string', default: '10' },
      duration: { type: 'string' },
      mischief: { type: 'string', default: '0.5' },
      data: { type: 'string', default: process.env['DATA_DIR'] || './data' },
      url: { type: 'string', multiple: true, default: [] },
      grace: { type: 'string', default: '180' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const number = (
    name: 'orders' | 'payouts' | 'seed' | 'rate' | 'duration' | 'mischief' | 'grace',
    low: number,
    high: number,
  ) => {
    const value = Number(values[name]);
    if (!(value >= low && value <= high))
      throw new Error(`--${name} must be a number from ${low} to ${high}.`);
    return value;
  };
  const rate = number('rate', 0.01, 500);
  const orders =
    values.orders === undefined && values.duration !== undefined
      ? Math.max(1, Math.round(rate * number('duration', 1, 3_600)))
      : values.orders === undefined
        ? 200
        : Math.round(number('orders', 1, 100_000));
  return {
    orders,
    payouts:
      values.payouts === undefined ? Math.round(orders / 5) : Math.round(number('payouts', 0, 100_000)),
    // The number of orders and the duration give the rate.
    rate:
      values.orders !== undefined && values.duration !== undefined
        ? orders / number('duration', 1, 3_600)
        : rate,
    seed: Math.round(number('seed', 0, 2 ** 31)),
    mischief: number('mischief', 0, 1),
    graceMs: number('grace', 0, 3_600) * 1_000,
    data: values.data,
    urls: values.url,
  };
}

try {
  const options = readOptions();
  if (!options) console.log(USAGE);
  else {
    const demo = await readDemo(options.data);
    const urls = (options.urls.length > 0 ? options.urls : [demo.url]).map(loopbackUrl);
    const { orders, seed, rate, mischief } = options;
    console.log(
      `Simulating ${orders} orders and ${options.payouts} payouts at ${rate.toFixed(1)} a second against ${urls.join(' and ')}; seed ${seed}, mischief ${mischief}.`,
    );
    const startedAt = Date.now();
    const statistics = { calls: 0, retries: 0 };
    const endTurn = await takeTurn(options.data);
    const services = await openServices({ ...options, demo, urls, statistics });
    try {
      const statement = await run({
        ...options,
        demo,
        services,
        urls,
        statistics,
        onProgress: (line) => console.log(line),
      });
      console.log(
        `\nStatement (${Math.round((Date.now() - startedAt) / 1_000)} s, ${statistics.calls} calls, ${statistics.retries} of them tried again)`,
      );
      console.log(printStatement(statement));
      if (!isExplained(statement)) process.exitCode = 1;
    } finally {
      await services.stop();
      await endTurn();
    }
  }
} catch (error) {
  console.error(describe(error));
  // Started payers and banks would go on calling for minutes, and nobody would count the result.
  process.exit(1);
}
