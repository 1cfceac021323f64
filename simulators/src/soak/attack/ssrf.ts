import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '@sangam/server/platform/db/database.ts';
import { each, type Attack } from './attack.ts';
import { hostile } from './network.ts';
import { targets } from './targets.ts';
import { callerFrom, MERCHANT_API, newOrder, signed } from './wire.ts';

const TARGETS = 2_000;
/** A node reloads settings within some seconds. */
const SETTING_READ_MS = 10_000;
/** The name server answers at once; a callback may take ten seconds. */
const ALL_TRIED_MS = 180_000;

/** A merchant gives callback addresses that must not be reached: literal addresses in every spelling, names, and redirects. */
export const ssrf: Attack = {
  name: '2,000 callback addresses inside the network',
  async run({ demo, node, trap, random }) {
    const merchant = demo.merchants.find(({ signType }) => signType === 'hmac-sha256-v2')!;
    const caller = callerFrom(hostile(1));
    const codes: string[] = [];
    let refused = 0;
    await each(targets(random, TARGETS), 8, async (notifyUrl) => {
      const body = signed(merchant, MERCHANT_API.create, newOrder({ notifyUrl }));
      const { code, data, text } = await caller.ask({ path: MERCHANT_API.create, body });
      if (code === 200) codes.push(String(data['orderCode']));
      else if (text.includes('notifyUrl')) refused += 1;
      else throw new Error(`an order for the attack was refused: ${text.slice(0, 300)}`);
    });
    caller.close();
    // Nobody pays these orders: the timeout callback, where the setting asks for one, goes to the address.
    await node.owner.query(sql`
      insert into settings (name, value, updated_at) values ('TimeoutCallbackTime', '1', now())
      on conflict (name) do update set value = excluded.value`);
    await sleep(SETTING_READ_MS);
    await node.owner.query(
      sql`update waiting_orders set expires_at = now() - interval '1 second' where order_id = any(${codes}::bigint[])`,
    );
    const untried = async () => {
      const [row] = await node.owner.query<{ left: number }>(sql`
        select count(*)::int as left from unnest(${codes}::bigint[]) o (id)
        where not exists (select 1 from callbacks c join callback_attempts a on a.callback_id = c.id where c.order_id = o.id)`);
      return row!.left;
    };
    for (const until = Date.now() + ALL_TRIED_MS; (await untried()) > 0; await sleep(1_000))
      if (Date.now() > until) throw new Error(`${await untried()} callbacks were not tried`);
    if (refused === TARGETS || trap.honest() === 0) throw new Error('no callback was sent at all');
    return { tried: TARGETS, through: trap.caught.map((where) => `a callback reached ${where}`) };
  },
};
