import { DownloadOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { BarChart, FunnelChart, HeatmapChart, LineChart } from 'echarts/charts';
import { GridComponent, LegendComponent, TooltipComponent, VisualMapComponent } from 'echarts/components';
import { type EChartsCoreOption, type EChartsType, init, use as register } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useAppearance } from '../appearance/use-appearance.ts';
import styles from './statistics.module.css';

register([
  BarChart,
  FunnelChart,
  HeatmapChart,
  LineChart,
  GridComponent,
  LegendComponent,
  TooltipComponent,
  VisualMapComponent,
  CanvasRenderer,
]);

interface ChartProps {
  /** The subject of the chart. The table beside it has the same numbers. */
  readonly title: string;
  readonly option: EChartsCoreOption;
}

/** The current value of a theme colour on the page. */
const colour = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** A series that names a theme colour. */
interface Toned {
  readonly tone?: string;
}

/** Replaces colour names by the colours of the current theme. */
/** In one line: on a phone, a second line would lie over the chart. */
const legend = () => ({
  type: 'scroll',
  top: 0,
  textStyle: { color: colour('text-soft') },
  pageTextStyle: { color: colour('text-soft') },
  pageIconColor: colour('text-soft'),
  pageIconInactiveColor: colour('line-strong'),
});

function themed(option: EChartsCoreOption): EChartsCoreOption {
  const axis = {
    axisLine: { lineStyle: { color: colour('line-strong') } },
    axisLabel: { color: colour('text-soft') },
    splitLine: { lineStyle: { color: colour('line') } },
  };
  const withAxis = (given: unknown) => {
    if (!given) return undefined;
    const { axisLabel, ...others } = given as { readonly axisLabel?: object };
    return { ...axis, ...others, axisLabel: { ...axis.axisLabel, ...axisLabel } };
  };
  return {
    animation: false,
    textStyle: { color: colour('text') },
    color: ['accent', 'text-faint', 'positive', 'warning', 'negative', 'pending'].map(colour),
    tooltip: {
      trigger: 'axis',
      confine: true,
      backgroundColor: colour('raised'),
      borderColor: colour('line'),
      textStyle: { color: colour('text') },
    },
    grid: { left: 8, right: 12, top: 32, bottom: 4, outerBoundsMode: 'same' },
    ...option,
    ...(option['legend'] ? { legend: legend() } : {}),
    xAxis: withAxis(option['xAxis']),
    yAxis: withAxis(option['yAxis']),
    series: (option['series'] as readonly Toned[]).map(({ tone, ...series }) =>
      tone === undefined ? series : { ...series, itemStyle: { color: colour(tone) } },
    ),
  };
}

/** A chart of figures that the table beside it has too, with a PNG export. */
export function Chart({ title, option }: ChartProps) {
  const { t } = useTranslation();
  const appearance = useAppearance();
  const element = useRef<HTMLDivElement>(null);
  const chart = useRef<EChartsType>(undefined);
  useEffect(() => {
    const made = init(element.current);
    chart.current = made;
    const watch = new ResizeObserver(() => made.resize());
    watch.observe(element.current!);
    return () => {
      watch.disconnect();
      made.dispose();
    };
  }, []);
  useEffect(() => {
    chart.current?.setOption(themed(option), { notMerge: true });
  }, [option, appearance]);
  const save = () => {
    const link = document.createElement('a');
    link.href = chart.current!.getDataURL({ pixelRatio: 2, backgroundColor: colour('surface') });
    link.download = `${title}.png`;
    link.click();
  };
  return (
    <figure className={styles['chart']}>
      <figcaption>
        {title}
        <Button
          type="text"
          size="small"
          icon={<DownloadOutlined aria-hidden />}
          aria-label={t('statistics.png', { title })}
          onClick={save}
        />
      </figcaption>
      <div ref={element} className={styles['canvas']} role="img" aria-label={title} />
    </figure>
  );
}
