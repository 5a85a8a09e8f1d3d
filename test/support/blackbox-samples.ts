// Files of Prometheus and its blackbox exporter, as people write them.

export const prometheusYaml = `global:
  scrape_interval: 30s
  external_labels: {cluster: shop}
rule_files: [rules/*.yml]
scrape_configs:
  - job_name: node
    static_configs: [{targets: [localhost:9100]}]
  - job_name: web
    metrics_path: /probe
    scrape_timeout: 8s
    params: {module: [http_2xx]}
    static_configs:
      - targets: [https://shop.example.org/, shop.example.org:8080]
        labels: {team: shop}
    file_sd_configs:
      - files: [/etc/prometheus/targets/web-*.json]
      - files: [/etc/prometheus/none.yml]
    consul_sd_configs: [{server: consul}]
    relabel_configs: &relabel
      - source_labels: [__address__]
        target_label: __param_target
      - source_labels: [__param_target]
        target_label: instance
      - target_label: __address__
        replacement: 127.0.0.1:9115
  - job_name: others
    metrics_path: /probe
    scrape_interval: 2m
    static_configs:
      - targets: ['tcp_connect;192.0.2.1:22', 'icmp;192.0.2.1', 'dns_a;192.0.2.53', 'drop;x', 'none;y']
    relabel_configs:
      - source_labels: [__address__]
        regex: drop;.*
        action: drop
      - source_labels: [__address__]
        regex: (.*);(.*)
        target_label: __param_module
      - source_labels: [__address__]
        regex: (.*);(.*)
        replacement: \${2}
        target_label: __param_target
`

export const blackboxYaml = `modules:
  http_2xx:
    prober: http
    timeout: 5s
    http:
      preferred_ip_protocol: ip4
      ip_protocol_fallback: false
  tcp_connect: {prober: tcp}
  icmp: {prober: icmp, icmp: {ttl: 9}}
  dns_a: {prober: dns, dns: {query_name: example.org, query_type: A}}
  unused: {prober: http}
`

export const webTargets = JSON.stringify([
  { targets: ['https://files.example.org/'], labels: { name: 'Files', __meta_x: 'y' } },
])

export const blackboxFile = [prometheusYaml, blackboxYaml, webTargets].join('\n---\n')
