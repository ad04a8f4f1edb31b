/** The theme: that of VitePress, then styles for wide tables. */
import theme from 'vitepress/theme';
import './site.css';

export default theme;
