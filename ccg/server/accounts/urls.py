"""Addresses about people: ours first, then allauth's."""

from django.urls import include, path

from . import views

urlpatterns = [
    path("guest/", views.guest, name="guest"),
    path("accounts/login/", views.SignIn.as_view(), name="account_login"),
    path("accounts/signup/", views.SignUp.as_view(), name="account_signup"),
    path("accounts/upgrade/", views.SignUp.as_view(), name="account_upgrade"),
    path("accounts/me/", views.me, name="account_me"),
    path("accounts/", include("allauth.account.urls")),
]
