import { Alert, Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { RowDrawer } from '../dialogs/row-drawer.tsx';
import { Facts, NothingYet, Section } from '../figures/details.tsx';
import { Moment } from '../figures/moment.tsx';
import { moneyText } from '../figures/money-text.ts';
import { Money } from '../figures/money.tsx';
import { PlainTable } from '../figures/plain-table.tsx';
import { Status } from '../figures/status.tsx';
import { useCall } from '../http/use-call.ts';
import { useNames } from '../language/names.ts';
import { ChainDrawing } from './chain-drawing.tsx';
import type { Chain } from './chain.ts';
import { NodeState } from './node-state.tsx';

const RUN_TONES = { forming: 'pending', trusted: 'positive', suspect: 'negative', closed: 'quiet' } as const;

interface ChainDrawerProps {
  readonly resourceId: string;
  readonly onClose: () => void;
}

/** The end of an account's chain: the drawing, its runs, and its messages, newest first. */
export function ChainDrawer({ resourceId, onClose }: ChainDrawerProps) {
  const { t } = useTranslation();
  const name = useNames();
  const { data: chain, error } = useCall(endpoints.chain.getChain, { resourceId });
  return (
    <RowDrawer
      width={880}
      onClose={onClose}
      title={chain ? t('chain.of', { account: chain.accountName }) : resourceId}
    >
      {!chain && (error ? <Alert type="error" showIcon title={error.message} /> : <Skeleton active />)}
      {chain && chain.nodes.length === 0 && <NothingYet text={t('chain.noNodes')} />}
      {chain && chain.nodes.length > 0 && (
        <>
          <Facts facts={[[t('chain.balanceMode'), name('balanceModes', chain.balanceMode)]]} />
          <ChainDrawing chain={chain} />
          <Section title={t('chain.runs')} count={chain.runs.length}>
            <PlainTable
              rows={chain.runs.toReversed()}
              keyOf={(run) => String(run.run)}
              columns={[
                {
                  title: t('messages.state'),
                  cell: (run) => (
                    <Status tone={RUN_TONES[run.state]} label={name('chainStates', run.state)} />
                  ),
                },
                { title: t('chain.nodes'), right: true, cell: (run) => run.nodes },
              ]}
            />
          </Section>
          <Section title={t('chain.nodes')} count={chain.nodes.length}>
            <PlainTable
              rows={chain.nodes.toReversed()}
              keyOf={(node) => node.id}
              columns={[
                { title: t('messages.bankTime'), cell: (node) => <Moment time={node.bankTime} exact /> },
                { title: t('messages.state'), cell: (node) => <NodeState state={node.state} /> },
                {
                  title: t('chain.gapBefore'),
                  right: true,
                  cell: ({ id }) => <GapBefore chain={chain} nodeId={id} />,
                },
                {
                  title: t('approvalFields.amount'),
                  right: true,
                  cell: (node) => <Money minor={node.amount} currency={chain.currency} directed />,
                },
                {
                  title: t('messages.balance'),
                  right: true,
                  cell: (node) => <Money minor={node.balance} currency={chain.currency} />,
                },
              ]}
            />
          </Section>
        </>
      )}
    </RowDrawer>
  );
}

/** The gap before this message: money that no message reported. */
function GapBefore({ chain, nodeId }: { readonly chain: Chain; readonly nodeId: string }) {
  const gap = chain.gaps.find(({ headId, state }) => headId === nodeId && state === 'open');
  if (!gap) return <>–</>;
  return <Status tone="negative" label={moneyText(gap.delta, chain.currency)} />;
}
