"""What whoever runs a site can watch: whether it is ready, figures for Prometheus, the log."""
