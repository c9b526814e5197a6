"""Addresses about people: ours first, then allauth's."""

from django.urls import include, path

from . import views

urlpatterns = [
    path("guest/", views.guest, name="guest"),
    path("accounts/login/", views.SignIn.as_view(), name="account_login"),
    path("accounts/signup/", views.SignUp.as_view(), name="account_signup"),
    path("accounts/upgrade/", views.SignUp.as_view(), name="account_upgrade"),
    path("accounts/me/", views.me, name="account_me"),
    path("accounts/open/", views.open_name, name="account_open"),
    path("accounts/password/reset/", views.ForgottenPassword.as_view(), name="account_reset_password"),
    path("accounts/", include("allauth.account.urls")),
]
