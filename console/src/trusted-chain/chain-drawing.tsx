import { useTranslation } from 'react-i18next';
import { moneyText } from '../figures/money-text.ts';
import type { Chain } from './chain.ts';
import styles from './chain.module.css';

const STEP = 22;
const HEIGHT = 210;
const EDGE = 24;
/** Height of a lane for the sums of gaps, in pixels. Sums are wider than a step, so neighbouring ones are placed in different lanes. */
const LANE = 13;
const LANES = 4;
const TOP = EDGE + LANE * LANES;

/** Scrolls to the newest messages. */
const toEnd = (box: HTMLDivElement | null): void => {
  if (box) box.scrollLeft = box.scrollWidth;
};

/**
 * Balances over time, one step per message. A line joins linked messages; a dashed line shows a gap with the missing amount.
 * Suspect messages are hollow. The table below has the same content as text.
 */
export function ChainDrawing({ chain }: { readonly chain: Chain }) {
  const { t } = useTranslation();
  const { nodes, gaps, currency } = chain;
  const balances = nodes.map(({ balance }) => balance);
  const lowest = Math.min(...balances);
  const span = Math.max(1, Math.max(...balances) - lowest);
  const points = new Map(
    nodes.map(({ id, balance }, index) => [
      id,
      { x: EDGE + index * STEP, y: HEIGHT - EDGE - ((balance - lowest) / span) * (HEIGHT - EDGE - TOP) },
    ]),
  );
  const line = (from: string | null, to: string) => {
    const [a, b] = [from === null ? undefined : points.get(from), points.get(to)];
    return a && b ? { x1: a.x, y1: a.y, x2: b.x, y2: b.y } : undefined;
  };
  const inOrder = gaps.toSorted((a, b) => (points.get(a.headId)?.x ?? 0) - (points.get(b.headId)?.x ?? 0));
  return (
    <div ref={toEnd} className={styles['drawing']} tabIndex={0} role="group" aria-label={t('chain.drawing')}>
      <svg
        width={2 * EDGE + (nodes.length - 1) * STEP}
        height={HEIGHT}
        role="img"
        aria-label={t('chain.drawn', { nodes: nodes.length, gaps: gaps.length })}
      >
        {nodes.map(({ id, previousId }) => {
          const ends = line(previousId, id);
          return ends && <line key={id} className={styles['link']} {...ends} />;
        })}
        {inOrder.map(({ id, tailId, headId, delta, state }, index) => {
          const ends = line(tailId, headId);
          return (
            ends && (
              <g key={id} className={styles[state === 'open' ? 'gap' : 'closedGap']}>
                <line {...ends} />
                <text x={(ends.x1 + ends.x2) / 2} y={LANE * ((index % LANES) + 1)}>
                  {delta > 0 ? '+' : ''}
                  {moneyText(delta, currency)}
                </text>
              </g>
            )
          );
        })}
        {nodes.map((node) => {
          const { x, y } = points.get(node.id)!;
          return (
            <circle key={node.id} className={styles[node.state]} cx={x} cy={y} r={5}>
              <title>{`${node.bankTime} · ${moneyText(node.balance, currency)}`}</title>
            </circle>
          );
        })}
      </svg>
    </div>
  );
}
