import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import type { Bot } from '@sangam/contract/bots.ts';
import { Facts } from '../figures/details.tsx';
import { Moment } from '../figures/moment.tsx';
import { Status } from '../figures/status.tsx';
import { useCall } from '../http/use-call.ts';

const EVERY = 5_000;

/** State of a bot: whether it reaches Telegram, and how many messages wait. */
export function BotState({ bot }: { readonly bot: Bot }) {
  const { t } = useTranslation();
  const { data } = useCall(endpoints.bot.getBotState, { bot }, { everyMs: EVERY });
  if (!data) return null;
  if (!data.hasToken) return <Status tone="quiet" label={t('botScreens.botOff')} />;
  const moment = (time: string | null) => (time === null ? '–' : <Moment time={time} />);
  return (
    <Facts
      facts={[
        [t('botScreens.name'), data.username === null ? '–' : `@${data.username}`],
        [t('botScreens.mode'), t(`botScreens.modes.${data.mode}`)],
        [t('botScreens.lastPoll'), moment(data.lastPollTime)],
        [t('botScreens.lastUpdate'), moment(data.lastUpdateTime)],
        [t('botScreens.groups'), data.groups],
        [t('botScreens.sentToday'), data.sentToday],
        [t('botScreens.waiting'), data.waiting],
        data.oldestWaitingTime !== null && [t('botScreens.oldest'), moment(data.oldestWaitingTime)],
        [t('botScreens.unknownToday'), data.unknownToday],
        data.lastError !== null && [
          t('botScreens.lastError'),
          <Status tone="negative" label={data.lastError} />,
        ],
      ]}
    />
  );
}
