// Kosh Pay, a gateway that does not exist: signed forms, a page of its own for the payer, notices signed with HMAC.
// config: accountNumber = merchant number, keySecret = key of requests, webhookSecret = key of notices.

const API = 'http://127.0.0.1:8095';

/** MD5 of the fields in order and the key, upper case. */
function signed(fields, key) {
  const all = { ...fields };
  return { ...all, sign: crypto.md5(`${form.sorted(all)}&key=${key}`).toUpperCase() };
}

async function call(path, fields, config) {
  const request = signed({ mch_id: config.accountNumber, ...fields }, config.keySecret);
  const answer = await fetch(API + path, { form: request });
  if (!answer.ok) throw new Error(`Kosh Pay answered ${answer.status}`);
  return answer.json();
}

async function createOrder(order, config) {
  const { code, message, data } = await call(
    '/order/create',
    {
      order_no: order.orderCode,
      amount: order.amount,
      notify_url: order.notifyUrl,
      return_url: order.returnUrl,
      ts: String(order.now),
    },
    config,
  );
  if (code !== 0) return { refused: message };
  return { payUrl: data.pay_url, reference: data.trade_no };
}

const STATES = { SUCCESS: 'paid', PENDING: 'pending', FAILED: 'failed' };

async function query(order, config) {
  const path = order.direction === 'in' ? '/order/query' : '/transfer/query';
  const { code, data } = await call(path, { order_no: order.orderCode, ts: String(order.now) }, config);
  if (code !== 0) return { state: 'unknown' };
  return {
    state: STATES[data.status] ?? 'unknown',
    amount: data.amount,
    utr: data.utr || undefined,
    reference: data.trade_no,
    reason: data.reason,
  };
}

function parseNotify(request, config) {
  const { sign, ...fields } = form.decode(request.body);
  const expected = crypto.hmac('sha256', config.webhookSecret, form.sorted(fields));
  if (!crypto.same(sign ?? '', expected)) return { refused: 'the signature is wrong' };
  return {
    orderCode: fields.order_no,
    state: STATES[fields.status] ?? 'unknown',
    amount: fields.amount,
    utr: fields.utr || undefined,
    reference: fields.trade_no,
    reason: fields.reason,
    answer: 'success',
  };
}

async function payout(order, config) {
  const { code, message, data } = await call(
    '/transfer/create',
    {
      order_no: order.orderCode,
      amount: order.amount,
      notify_url: order.notifyUrl,
      name: order.payee.name,
      account: order.payee.account,
      ifsc: order.payee.ifsc,
      ts: String(order.now),
    },
    config,
  );
  if (code === 0) return { accepted: data.trade_no };
  // Only what it says it did not take is refused; anything else may have been taken.
  return code === 400 ? { refused: message } : { unknown: message };
}
