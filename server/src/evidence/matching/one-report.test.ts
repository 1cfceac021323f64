import { addListedName } from '@sangam/contract/endpoints/name-list.ts';
import { describe, expect, test } from 'vitest';
import { nameScreen } from '../../screening/screen.ts';
import { ask } from '../../testing/ask.ts';
import { eachShop } from '../../testing/each-shop.ts';
import { creditSms, naming, newReference, statedSms, withoutReference } from '../../testing/payments.ts';

/**
 * A credit that may pay no order has another wording without UTR. It pays no order either, whether it comes in the same report, before or
 * after the first, or in the next one, and even if it names an order.
 */

const here = eachShop();

const AMOUNT = 550_00n;
const BARRED = { state: 'ambiguous', reason: 'wordingSettled' };
const isNamed = [false, true];

describe.each(isNamed)('names an order: %s', (names) => {
  /** An order of the sum, the bank's text with the UTR and its text without, which may name the order. */
  const prepare = async (reference: string) => {
    const order = await here.calls.order(AMOUNT);
    const stated = creditSms(here.world.platform, here.shop, AMOUNT, { reference });
    const bare = withoutReference(creditSms(here.world.platform, here.shop, AMOUNT));
    return { order, stated, bare: names ? naming(order, bare) : bare };
  };

  test.each(['before', 'after', 'next'])(
    'money that the bank took back; its other wording %s',
    async (place) => {
      const reference = newReference();
      const { order, stated, bare } = await prepare(reference);
      const back = statedSms(here.world.platform, here.shop, {
        amount: -AMOUNT,
        balance: 9_000_00n,
        reference,
      });
      const first = [stated, back];
      if (place === 'before') await here.calls.report(bare, ...first);
      else await here.calls.report(...first, ...(place === 'after' ? [bare] : []));
      if (place === 'next') await here.calls.report(bare);
      expect(await here.calls.stored(stated)).toMatchObject({ state: 'ambiguous', reason: 'wentBack' });
      expect(await here.calls.stored(bare)).toMatchObject(BARRED);
      expect(await here.calls.isOpen(order)).toBe(true);
    },
  );

  test.each(['before', 'after', 'next'])('money of a listed payer; its other wording %s', async (place) => {
    const { order, stated, bare } = await prepare(newReference());
    const vpa = `l${order.id}@okbank`;
    await ask(here.world.platform, here.boss, addListedName, {
      name: `Listed ${order.id}`,
      reason: 'court',
      vpa,
    });
    await nameScreen(here.world.platform).refresh();
    const listed = { ...stated, text: stated.text.replace('payer@okbank', vpa) };
    if (place === 'before') await here.calls.report(bare, listed);
    else await here.calls.report(listed, ...(place === 'after' ? [bare] : []));
    if (place === 'next') await here.calls.report(bare);
    expect(await here.calls.stored(listed)).toMatchObject({ state: 'ambiguous', reason: 'payerListed' });
    expect(await here.calls.stored(bare)).toMatchObject(BARRED);
    expect(await here.calls.isOpen(order)).toBe(true);
  });
});
