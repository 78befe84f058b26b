"""Messages to candidate memories."""
