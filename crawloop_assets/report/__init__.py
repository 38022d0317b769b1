"""What a person looks at: families at a glance."""
