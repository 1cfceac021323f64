import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { BOT_MESSAGE_STATES, type BotMessageState } from '@sangam/contract/bots.ts';
import { Moment } from '../figures/moment.tsx';
import { Status, type Tone } from '../figures/status.tsx';
import type { InputOf, RowOf } from '../http/call-types.ts';
import type { PageProps } from '../navigation/page-props.ts';
import { useTitles } from '../navigation/use-titles.ts';
import type { ListDefinition } from '../operator-table/list-definition.ts';
import { ListScreen } from '../operator-table/list-screen.tsx';
import { BotState } from './bot-state.tsx';

type MessagesCall = typeof endpoints.bot.getBotMessages;

const TONES: Readonly<Record<BotMessageState, Tone>> = {
  waiting: 'pending',
  sent: 'positive',
  dropped: 'quiet',
};

const AlertBotState = () => <BotState bot="alert" />;

/** State of the alert bot, the messages it sent, and those that wait. */
export function AlertBotScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const definition: ListDefinition<RowOf<MessagesCall>, InputOf<MessagesCall>> = {
    name: 'botMessages',
    title: title(screen),
    call: endpoints.bot.getBotMessages,
    fixed: { bot: 'alert' },
    keyOf: ({ id }) => id,
    emptyText: t('botScreens.noMessages'),
    Panel: AlertBotState,
    filters: [
      {
        name: 'state',
        param: 's',
        kind: 'choice',
        label: t('botScreens.state'),
        pinned: true,
        values: BOT_MESSAGE_STATES,
        options: BOT_MESSAGE_STATES.map((value) => ({ value, label: t(`botScreens.states.${value}`) })),
      },
    ],
    columns: [
      {
        key: 'createTime',
        title: t('botScreens.time'),
        names: true,
        render: (row) => <Moment time={row.createTime} />,
      },
      { key: 'groupTitle', title: t('botScreens.title'), render: (row) => row.groupTitle },
      { key: 'kind', title: t('botScreens.kind'), render: (row) => t(`botScreens.kindsOf.${row.kind}`) },
      {
        key: 'text',
        title: t('botScreens.text'),
        width: 420,
        render: ({ text }) =>
          text.split('\n').map((line, index) => <div key={`${index}:${line}`}>{line}</div>),
      },
      {
        key: 'state',
        title: t('botScreens.state'),
        render: ({ state, summedUp }) => (
          <Status
            tone={TONES[state]}
            label={`${t(`botScreens.states.${state}`)}${summedUp ? ` · ${t('botScreens.summedUp')}` : ''}`}
          />
        ),
      },
      {
        key: 'sentTime',
        title: t('botScreens.sentTime'),
        render: ({ sentTime }) => (sentTime === null ? '–' : <Moment time={sentTime} />),
      },
      {
        key: 'attempts',
        title: t('botScreens.attempts'),
        align: 'right',
        render: ({ attempts }) => attempts,
      },
      { key: 'lastError', title: t('botScreens.lastError'), render: ({ lastError }) => lastError ?? '–' },
    ],
  };
  return <ListScreen definition={definition} />;
}
