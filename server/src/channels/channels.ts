import type { Channel as ChannelName } from '@sangam/contract/products.ts';
import { bank } from './bank/bank.ts';
import type { Channel } from './channel.ts';
import { gateway } from './script/hosted.ts';
import { mpesa } from './mpesa/mpesa.ts';
import { upi } from './upi/upi.ts';
import { usdt } from './usdt/usdt.ts';

/** Wallets of India take UPI links. Card to card is a transfer that only its exact amount identifies. */
const CHANNELS: Partial<Record<ChannelName, Channel>> = {
  upi,
  wallet: upi,
  bank,
  card: bank,
  usdt,
  mpesa,
  gateway,
};

export function channelOf(name: ChannelName): Channel | undefined {
  return CHANNELS[name];
}

/** Whether orders of this channel can be created. */
export function hasChannel(name: ChannelName): boolean {
  return CHANNELS[name] !== undefined;
}
